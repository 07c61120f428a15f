"""From the world to the program and back: cameras, buttons, lights, the simulated table."""
