# For every file "file NAME LINES", for every function "function NAME:FUNCTION LINES".
# Relies on the house format: a function starts and ends in column 1.
FNR == 1 && NR > 1 { print "file", name, lines }
FNR == 1 { head = ""; inside = 0 }
{ name = FILENAME; lines = FNR }
inside && /^}/ { print "function", FILENAME ":" inside, FNR - first + 1; inside = 0; head = ""; next }
inside { next }
/^[a-z].*\(/ && !/;$/ { head = $0; first = FNR }
/^[^ \t]/ && !/^[a-z].*\(/ { head = "" }
head != "" && /\) \{$/ {
    inside = head
    sub(/\(.*/, "", inside)
    sub(/.*[ *]/, "", inside)
}
/;$/ { head = "" }
END { print "file", name, lines }
