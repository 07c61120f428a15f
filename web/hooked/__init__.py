"""Hooked! as people see it: the photo finish, the Lake, the stacks, and what their forms ask for."""
