"""What people see and touch: the dashboard, its controls, set-up; a Flask application."""
