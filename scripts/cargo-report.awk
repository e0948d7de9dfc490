# Turns what "cargo test" prints into the shape of the other modules' reports: counts, and each failure's words.
function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/"/, "\\&quot;", text)
  gsub(/[^[:print:]]/, "?", text)
  return text
}
/^test result:/ { passed += $4; failed += $6; skipped += $8 }
/^failures:$/ { name = "" }
/^---- .* stdout ----$/ { name = $2; names[++count] = name; next }
name != "" && $0 != "" { words[count] = words[count] escaped($0) "&#10;" }
END {
  printf "<testsuite name=\"agent\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n", passed + failed + skipped, failed, skipped
  for (i = 1; i <= count; i++)
    printf "<testcase classname=\"agent\" name=\"%s\"><failure message=\"%s\"/></testcase>\n", escaped(names[i]), words[i]
  print "</testsuite>"
}
