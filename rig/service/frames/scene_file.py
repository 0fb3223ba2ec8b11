"""A corrected frame as a test scene in one file."""

import io
import zipfile

from rig.lens_file import parse_lens
from rig.photo.privacy import without_private_parts
from rig.scene_export import truth_data
from rig.scene_folder import IMAGE, LENS, TRUTH, lens_text, truth_text
from rig.service.frames.frame_readings import Read
from rig.service.pictures.picture_maker import PictureMaker
from rig.store.store import Store
from vision.lens import Lens


def scene_zip(store: Store, maker: PictureMaker, read: Read) -> bytes:
    """FRAME/image.jpg, FRAME/truth.json and, where the lens is known, FRAME/lens.json.

    A JPEG goes in byte for byte, so that the scene is what was read.
    """
    data = store.frames.picture(read.frame)
    path, name = store.frames.path(read.frame), read.frame.name
    if read.frame.photo.kind == "jpeg":
        size_wh = maker.make("size", path, name)
        data = without_private_parts(data, "jpeg", name)  # kept by a program that left them in
    else:
        data, size_wh = maker.make("whole", path, name)
    lens = _lens(read, size_wh)
    truth = truth_data(read.replayed.reading, read.rules, size_wh, lens)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as scene:
        scene.writestr(f"{read.frame.id}/{IMAGE}", data)
        scene.writestr(f"{read.frame.id}/{TRUTH}", truth_text(truth))
        if lens is not None:
            scene.writestr(f"{read.frame.id}/{LENS}", lens_text(lens))
    return packed.getvalue()


def _lens(read: Read, size_wh: tuple[int, int]) -> Lens | None:
    if read.frame.lens is None:
        return None
    lens = parse_lens(dict(read.frame.lens))
    return lens if lens.size_wh == size_wh else None
