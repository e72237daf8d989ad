# The same job in jq. $removed has a key for each type to take out.
.input |= map(select($removed[.type // ""] | not))
