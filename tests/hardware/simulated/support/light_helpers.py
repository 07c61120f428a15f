"""Pictures as light, and where edges run in them."""

import numpy as np

from hardware.simulated.sensor import linear


def as_light(image):
    """A picture's linear brightness, 0 to 1 (H x W)."""
    return linear(image.astype(np.float64) / 255).mean(axis=2)


def mean_light(camera, pose, count, t_ns=0):
    """The mean of several pictures of one pose: hardly any noise left."""
    return np.mean([as_light(camera.look(pose, t_ns).image) for _ in range(count)], axis=0)


def distance_to_edge(quad, side, shape):
    """Every pixel's signed distance to one side of a quad, positive outside, and its place along it (0 to 1)."""
    a, b = np.array(quad[side], float), np.array(quad[(side + 1) % 4], float)
    along = (b - a) / np.linalg.norm(b - a)
    y, x = np.mgrid[: shape[0], : shape[1]]
    px, py = x - a[0], y - a[1]
    return px * along[1] - py * along[0], (px * along[0] + py * along[1]) / np.linalg.norm(b - a)


def edge_offset(light, quad, side, reach=7):
    """By how many pixels the brightness edge at one side lies outside of where the quad says it is."""
    d, t = distance_to_edge(quad, side, light.shape)
    near = (np.abs(d) < reach) & (t > 0.2) & (t < 0.8)
    values, d = light[near], d[near]
    inside, outside = values[d < 2 - reach].mean(), values[d > reach - 2].mean()
    bright = (values - outside) / (inside - outside)
    # So much of the band is bright: pixels lie evenly in it, so their mean is its share.
    return float(bright.mean() * 2 * reach - reach)
