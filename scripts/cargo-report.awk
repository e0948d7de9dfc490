# Turns what "cargo test" prints into a report like the other modules': each test, and a failure's words.
# Reads the second run of what failed (with the variable "again" set) before the first: a test that failed only in the
# first is flaky.
function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/"/, "\\&quot;", text)
  gsub(/[^[:print:]]/, "?", text)
  return text
}
/^---- .* stdout ----$/ && again != "" { failed_again[$2] = 1 }
again != "" { next }
/^test .* \.\.\. (ok|FAILED|ignored)/ { names[++count] = $2; results[count] = $0 }
/^failures:$/ { failure = "" }
/^---- .* stdout ----$/ { failure = $2; next }
failure != "" && $0 != "" { words[failure] = words[failure] escaped($0) "&#10;" }
END {
  for (i = 1; i <= count; i++) {
    name = names[i]
    cases = cases "<testcase classname=\"agent\" name=\"" escaped(name) "\">"
    if (results[i] ~ /\.\.\. ignored/) cases = cases "<skipped/>"
    if (results[i] ~ /\.\.\. FAILED/)
      cases = cases "<" (name in failed_again ? "failure" : "flakyFailure") " message=\"" words[name] "\"/>"
    cases = cases "</testcase>\n"
  }
  printf "<testsuite name=\"agent\" time=\"%d\">\n%s</testsuite>\n", seconds, cases
}
