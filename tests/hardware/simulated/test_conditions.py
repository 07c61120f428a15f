"""Each condition is what the table of conditions says, measured on the frames where a frame can show it."""

import cv2
import numpy as np
import pytest
from light_helpers import as_light, distance_to_edge, mean_light

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME, EASY, EVENING, HARSH
from hardware.simulated.light import kelvin
from hardware.simulated.poses import PiecePose, TablePose
from hardware.simulated.sensor import CODE, Sensor

TABLE = {
    # light, tilt, glare on, full well, blur, jpeg, off mm, off deg, gap, hand rests, wrong, drift
    "easy": (1.3, 4, 0, 9000, 0.5, 92, 1, 1, 25, 0, 1 / 50, 0.02),
    "evening": (2.5, 10, 1, 3000, 0.8, 85, 2.5, 3, 12, 1 / 10, 1 / 30, 0.08),
    "harsh": (4, 18, None, 900, 1.3, 72, 4, 4, 4, 1 / 4, 1 / 20, 0.20),
}
ALL = pytest.mark.parametrize("condition", [EASY, EVENING, HARSH], ids=lambda c: c.name)


@pytest.mark.parametrize("name", TABLE)
def test_the_numbers(name):
    c, (light, tilt, glare, well, blur, jpeg, off, turn, gap, rests, wrong, drift) = BY_NAME[name], TABLE[name]
    assert (c.light_ratio, c.tilt_deg, c.full_well, c.blur_px, c.jpeg) == (light, tilt, well, blur, jpeg)
    assert (c.off_mm, c.off_deg, c.gap_mm, c.hand_rests, c.wrong, c.drift) == (off, turn, gap, rests, wrong, drift)
    assert c.glare_cards == glare if glare is not None else c.glare_cards > 1
    assert (c.kelvin, c.mixed) == {
        "easy": ((4000, 6500), False),
        "evening": ((2700, 5000), False),
        "harsh": ((2700, 6500), True),
    }[name]


@ALL
def test_light_across_the_table(plain, condition):
    camera = SimulatedCamera(plain, condition, 3, table="pale")
    bright = camera.light.field @ np.array([0.0722, 0.7152, 0.2126], np.float32)
    assert bright.max() / bright.min() == pytest.approx(condition.light_ratio, rel=0.08)


@ALL
def test_light_across_the_frame(plain, condition):
    """On the pixels, through sensor and JPEG: with a lamp so dim that nothing saturates."""
    seed = next(s for s in range(40) if SimulatedCamera(plain, condition, s, table="dark").light.field.max() < 2.4)
    camera = SimulatedCamera(plain, condition, seed, table="dark")
    light = mean_light(camera, TablePose(), 4)
    smooth = cv2.GaussianBlur(light, (0, 0), 12) / cv2.GaussianBlur(camera.table.albedo.mean(2), (0, 0), 12)
    low, high = np.percentile(smooth, (0.5, 99.5))
    assert high / low == pytest.approx(condition.light_ratio, rel=0.35)


@ALL
def test_camera_off_vertical_and_45_to_75_cm_high(plain, condition):
    for seed in range(4):
        lens = SimulatedCamera(plain, condition, seed).lens
        look = lens.rotation.T @ (0, 0, 1)
        assert np.degrees(np.arccos(look[2])) == pytest.approx(condition.tilt_deg)
        assert 450 <= lens.centre[2] <= 750


@ALL
def test_cards_have_100_to_170_pixels_a_side(plain, condition):
    for seed in range(3):
        camera = SimulatedCamera(plain, condition, seed)
        spots = [(0, 0), (120, 0), (-120, 0), (0, 85), (0, -85)]
        for x, y in spots:
            (card,) = camera.truth(TablePose((PiecePose("grey", x, y, 20),))).pieces
            sides = [np.hypot(*(np.array(card.corners[i]) - card.corners[i - 1])) for i in range(4)]
            assert min(sides) >= 88 and max(sides) <= 175
            assert 100 <= np.mean(sides) <= 170


@ALL
def test_shot_noise(plain, condition):
    """Of an evenly lit surface, as light: variance = signal / full well, whatever the brightness."""
    sensor = Sensor((640, 480), condition, np.random.default_rng(1))
    for level in (0.15, 0.4, 0.7):
        coded = np.full((480, 640, 3), np.sqrt(level) * CODE, np.int16)
        light = as_light_by_channel(sensor.expose(coded, 0, np.random.default_rng(2)))
        gain = np.array(sensor.gains(0))
        well = light.mean((0, 1)) * gain / light.var((0, 1))
        assert well == pytest.approx(condition.full_well, rel=0.12)


def as_light_by_channel(image):
    from hardware.simulated.sensor import linear

    return linear(image.astype(np.float64) / 255)


@ALL
def test_blur(plain, condition):
    """The spread of an edge in the picture is the blur, and a pixel's own width."""
    camera = SimulatedCamera(plain, condition, 11, table="dark")
    pose = TablePose((PiecePose("grey", 0, 0, 23),))
    light = mean_light(camera, pose, 6)
    quad = camera.truth(pose).pieces[0].corners
    d, t = distance_to_edge(quad, 0, light.shape)
    near = (np.abs(d) < 6) & (t > 0.2) & (t < 0.8)
    bins = np.arange(-6, 6.01, 0.25)
    profile = np.array([light[near][np.digitize(d[near], bins) == i].mean() for i in range(1, len(bins))])
    rise = np.clip(-np.diff(profile), 0, None)
    rise[rise < 0.08 * rise.max()] = 0
    at = bins[1:-1]
    middle = (rise * at).sum() / rise.sum()
    spread = np.sqrt((rise * (at - middle) ** 2).sum() / rise.sum())
    wanted = np.sqrt(condition.blur_px**2 + 2 / 12)
    assert spread == pytest.approx(wanted, rel=0.3)


@ALL
def test_jpeg_quality(plain, condition):
    frame = SimulatedCamera(plain, condition, 1).look(TablePose(), 0)
    reference = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, condition.jpeg])[1].tobytes()
    assert quantisation(frame.jpeg) == quantisation(reference)
    assert np.array_equal(cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), 1), frame.image)


def quantisation(jpeg):
    start = jpeg.index(b"\xff\xdb")
    return jpeg[start : start + 67]


@ALL
def test_drift_within_a_round(plain, condition):
    camera = SimulatedCamera(plain, condition, 5)
    gains = np.array([camera.sensor.gains(int(s * 1e9)) for s in range(21)])
    exposure, warmth = gains[:, 1], gains[:, 2] / gains[:, 0]
    for what in (exposure, warmth):
        assert 0.7 * condition.drift < what.max() / what.min() - 1 <= condition.drift * 1.001
    first, last = (mean_light(camera, TablePose((PiecePose("grey", 0, 0),)), 2, int(s * 1e9)) for s in (0, 7))
    middle = np.s_[460:500, 620:660]
    if first[middle].max() < 0.9:
        assert last[middle].mean() / first[middle].mean() == pytest.approx(gains[7].mean() / gains[0].mean(), rel=0.03)


@ALL
def test_glare_lies_on_as_many_cards_as_it_may(plain, condition):
    ring = [(130 * np.cos(a), 95 * np.sin(a)) for a in np.arange(6) * np.pi / 3]
    pose = TablePose(tuple(PiecePose("grey", x, y, 10) for x, y in ring))
    most = 0
    for seed in range(6):
        camera = SimulatedCamera(plain, condition, seed, table="dark")
        with_glare = as_light(camera.look(pose, 0).image)
        camera.light = camera.light.__class__(
            **{name: getattr(camera.light, name) for name in camera.light.__dataclass_fields__} | {"glares": ()}
        )
        camera.forget()
        without = as_light(camera.look(pose, 0).image)
        shining = 0
        for piece in camera.truth(pose).pieces:
            mask = cv2.fillConvexPoly(np.zeros(without.shape, np.uint8), np.round(piece.corners).astype(np.int32), 1)
            gained = (with_glare - without)[mask > 0]
            shining += bool(np.percentile(gained, 99) > 0.08)
        assert shining <= condition.glare_cards
        most = max(most, shining)
    assert most >= min(condition.glare_cards, 2)


def test_colour_temperatures():
    warm, neutral = kelvin(2700), kelvin(6500)
    assert neutral == pytest.approx(1.0, abs=0.08)
    assert warm[2] > 1.5 and warm[0] < 0.35  # red and blue


@ALL
def test_the_same_seed_gives_the_same_pixels(plain, condition):
    pose = TablePose((PiecePose("dotted", 10, 5, 40), PiecePose("tile", 11, 5, 41, level=1)))
    films = []
    for _ in range(2):
        camera = SimulatedCamera(plain, condition, 77)
        films.append([camera.look(p, t).jpeg for t, p in ((0, TablePose()), (10**9, pose), (2 * 10**9, pose))])
    assert films[0] == films[1]
    assert films[0][1] != films[0][2]  # but each frame has its own noise
    assert SimulatedCamera(plain, condition, 78).look(pose, 0).jpeg != films[0][1]


def test_only_what_changed_is_drawn_anew_and_it_makes_no_difference(plain):
    """A frame after many others shows the same as the first frame of a fresh camera."""
    poses = [TablePose((PiecePose("grey", x, 20, 7 * x), PiecePose("dotted", -60, x, x))) for x in (-40, 0, 35)]
    worn = SimulatedCamera(plain, HARSH, 9)
    for pose in poses:
        worn.look(pose, 0)
    fresh = SimulatedCamera(plain, HARSH, 9)
    fresh.look(poses[-1], 0)
    assert np.array_equal(worn._coded, fresh._coded)
