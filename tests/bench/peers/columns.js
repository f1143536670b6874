// The header of a capture, for the peers that run in node.
'use strict';
const fs = require('fs');

const WANTED =
    /Physical Disk SCSI Device\(.*\)\\Average (Driver|Kernel|Queue|Guest) MilliSec\/Command$/;

exports.isWanted = (name) => WANTED.test(name);

// All column names of a capture whose cells are all quoted.
exports.names = (file) => {
    const input = fs.openSync(file);
    const bytes = Buffer.alloc(1 << 20);
    let line = '';
    while (!line.includes('\n')) {
        const got = fs.readSync(input, bytes, 0, bytes.length, null);
        if (got === 0) break;
        line += bytes.toString('latin1', 0, got);
    }
    fs.closeSync(input);
    return line.slice(1, line.indexOf('\n') - 1).split('","');
};

// One line a column; row holds mean, maximum, mean, maximum ...
exports.print = (columns, row) => {
    const digits = (value) => String(Number(Number(value).toPrecision(9)));
    columns.forEach((name, i) => {
        process.stdout.write(`${name}\t${digits(row[2 * i])}\t${digits(row[2 * i + 1])}\n`);
    });
};
