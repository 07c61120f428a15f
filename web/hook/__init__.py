"""Hook! as people see it: what the pages show of a match, and what their forms ask for."""
