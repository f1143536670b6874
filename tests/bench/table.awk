# table.awk - medians of a table of the benchmark, for the terminal and as Markdown.
# First file: job, base, bytes, capture, label.  Second file: job, round, microseconds or "failed", kilobytes.
function median(list, n,    i, j, value, sorted) {
    for (i = 1; i <= n; i++) {
        value = list[i]
        for (j = i - 1; j > 0 && sorted[j] > value; j--)
            sorted[j + 1] = sorted[j]
        sorted[j + 1] = value
    }
    return (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
}

# Median over the rounds of the time of job a, over that of job b in the same round; b < 0: of the time itself.
function typical(a, b,    r, n, list) {
    for (r = 1; r <= rounds; r++)
        if ((a, r) in took && (b < 0 || (b, r) in took))
            list[++n] = took[a, r] / (b < 0 ? 1 : took[b, r])
    return n ? median(list, n) : -1
}

function figure(format, value) {
    return value < 0 ? "-" : sprintf(format, value)
}

function line(cells, n,    i, text, mark, cell) {
    for (i = 1; i <= n; i++) {
        text = text sprintf(i == 1 ? "%-26s" : " %10s", cells[i])
        cell = cells[i]
        gsub(/\|/, "\\|", cell)
        mark = mark "| " cell " "
    }
    print text
    print mark "|" >>markdown
}

function heading(names,    n, cells, mark) {
    n = split(names, cells, "|")
    print "\n" title
    print "\n**" title "**\n" >>markdown
    line(cells, n)
    mark = "|---|"
    while (--n)
        mark = mark "--:|"
    print mark >>markdown
}

function row(job,    cells, time, reference) {
    time = typical(job, -1)
    cells[1] = label[job]
    cells[2] = job in failed ? "failed" : ran[job]
    cells[3] = figure("%.3f", time < 0 ? time : time / 1e6)
    cells[4] = figure("%.2f", typical(job, base[job]))
    cells[5] = base[job] in ours ? figure("%.2f", typical(job, ours[base[job]])) : "-"
    cells[6] = peak[job] ? sprintf("%.1f", peak[job] / 1024) : "-"
    cells[7] = time > 0 ? sprintf("%.2f", bytes[job] / time / 1e3) : "-"
    line(cells, 7)
}

# Time per byte of each capture, and how that compares with the first of them.
function growth_row(job,    cells, time) {
    time = typical(job, -1) / bytes[job]
    if (!first)
        first = time
    cells[1] = capture[job]
    cells[2] = figure("%.0f", bytes[job] / 1e6)
    cells[3] = figure("%.3f", time * 1e3)
    cells[4] = figure("%.2f", time / first)
    cells[5] = figure("%.2f", typical(job, base[job]))
    cells[6] = peak[job] ? sprintf("%.1f", peak[job] / 1024) : "-"
    line(cells, 6)
}

NR == FNR {
    base[$1] = $2
    bytes[$1] = $3
    capture[$1] = $4
    label[$1] = $5
    if ($5 == "esxlat, all threads")
        ours[$2] = $1
    jobs = $1 + 1
    next
}
$3 == "failed" {
    failed[$1] = 1
    next
}
{
    took[$1, $2] = $3
    ran[$1]++
    if ($2 > rounds)
        rounds = $2
    if ($4 != "-" && $4 > peak[$1])
        peak[$1] = $4
}
END {
    heading(layout == "growth" ? "capture|MB|ns/byte|to first|x wc -l|peak MiB" : \
            "|runs|seconds|x wc -l|x esxlat|peak MiB|GB/s")
    for (j = 0; j < jobs; j++)
        if (layout != "growth")
            row(j)
        else if (base[j] != j)
            growth_row(j)
}
