"""A lens as the JSON values of a lens file; reading them back is the rig's."""

from __future__ import annotations

from vision.lens import Lens


def lens_data(lens: Lens) -> dict[str, object]:
    """`size_px` [w, h], `matrix` 3 x 3, `distortion`, and `model` where it is not OpenCV's plain
    one.
    """
    data: dict[str, object] = {
        "size_px": list(lens.size_wh),
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
    }
    return data if lens.model == "plain" else {**data, "model": lens.model}
