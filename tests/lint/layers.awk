# order: the folders from the ground up.  Complains about includes of a folder of a higher rank.
BEGIN {
    n = split(order, folder, " ")
    for (i = 1; i <= n; i++)
        rank[folder[i]] = i
}
FNR == 1 {
    split(FILENAME, part, "/")
    here = part[part[1] == "src" ? 2 : 3]
    if (!(here in rank))
        print FILENAME ": its folder is not in tests/lint/layers"
}
/^# *include "esxlat\// {
    split($0, part, "/")
    if (!(part[2] in rank) || rank[part[2]] > rank[here])
        print FILENAME ":" FNR ": " here " must not know " part[2]
}
