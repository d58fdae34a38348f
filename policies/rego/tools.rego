# An example to start from; used only with --policies, or when policies.dirs names this folder.
# After each change: opsagent policy build policies/rego
package tools

# Only admins may write files.
deny[msg] {
    input.tool == "file_write"
    not is_admin(input.user)
    msg := sprintf("file_write needs the role admin; %s does not have it", [input.user])
}

# No drain of a node at the weekend, UTC.
deny[msg] {
    input.verb == "drain"
    is_weekend
    msg := "nodes are not drained at the weekend"
}

# What was read in this session must not steer a change unseen.
confirm[msg] {
    is_string(input.taint)
    input.risk != "low"
    msg := sprintf("its arguments come from output: %s", [input.taint])
}

is_admin(user) {
    user == input.user
    input.roles[_] == "admin"
}

is_weekend {
    day := time.weekday(time.now_ns())
    {"Saturday", "Sunday"}[day]
}
