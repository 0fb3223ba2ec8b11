"""A rig plan drawn: from the side with the camera's cone, and from above with what it covers."""

from __future__ import annotations

from calibration.printed.svg import Drawing
from calibration.table.planning import RigPlan
from vision.locating.markers import MARKER_MM, MARKER_OUTSIDE_MM

WIDTH, PANEL_HEIGHT, GAP = 900.0, 420.0, 50.0
TABLE, PICTURE, PAPER, INK = "#b98a5a", "#1f6fb4", "#ffffff", "#222222"


def plan_drawing(plan: RigPlan) -> str:
    """An SVG of a plan."""
    drawing = Drawing(WIDTH, 2 * PANEL_HEIGHT + 3 * GAP + 40)
    drawing.text((GAP, 34), f"{plan.camera.name}, {plan.height_mm:.0f} mm above the table", 18)
    _side(drawing, plan)
    _above(drawing, plan)
    words = (
        f"{plan.px_per_mm:.2f} pixels per mm in the middle, {plan.px_per_mm_corner:.2f} in the "
        f"corners; dots: {plan.dots}, placements: {plan.verdicts}"
    )
    drawing.text((GAP, 2 * PANEL_HEIGHT + 2 * GAP + 60), words, 15)
    return drawing.as_svg()


def _side(drawing: Drawing, plan: RigPlan) -> None:
    wide = max(plan.covered_mm[0], *plan.table_mm) * 1.05
    scale = min((WIDTH - 4 * GAP) / wide, (PANEL_HEIGHT - 60) / plan.height_mm)
    middle, ground = WIDTH / 2, GAP + PANEL_HEIGHT - 20
    eye = (middle, ground - plan.height_mm * scale)
    half = plan.covered_mm[0] / 2 * scale
    drawing.polygon([eye, (middle + half, ground), (middle - half, ground)], "#e4eef7", PICTURE)
    table = max(plan.table_mm) / 2 * scale
    drawing.rectangle((middle - table, ground), (2 * table, 8), TABLE)
    drawing.rectangle((eye[0] - 12, eye[1] - 12), (24, 12), INK)
    drawing.line([(GAP, ground), (GAP, eye[1])], INK)
    drawing.text((GAP + 6, (ground + eye[1]) / 2), f"{plan.height_mm:.0f} mm")
    drawing.text((middle, ground + 28), f"{plan.covered_mm[0]:.0f} mm in the picture", 14, "middle")


def _above(drawing: Drawing, plan: RigPlan) -> None:
    across, down = max(plan.table_mm), min(plan.table_mm)
    room = (max(plan.covered_mm[0], across + 160), max(plan.covered_mm[1], down + 160))
    scale = min((WIDTH - 4 * GAP) / room[0], (PANEL_HEIGHT - 40) / room[1])
    middle = (WIDTH / 2, 2 * GAP + PANEL_HEIGHT * 1.5)

    def box(width: float, height: float, fill: str, stroke: str) -> None:
        size = (width * scale, height * scale)
        at = (middle[0] - size[0] / 2, middle[1] - size[1] / 2)
        drawing.rectangle(at, size, fill, stroke, 2)

    box(across + 180, down + 180, "#ecdcc8", "none")
    box(across, down, TABLE, "none")
    box(*plan.covered_mm, "none", PICTURE)
    side = MARKER_MM * scale
    for sx in (-1, 1):
        for sy in (-1, 1):
            x = middle[0] + sx * (across / 2 + MARKER_OUTSIDE_MM) * scale
            y = middle[1] + sy * (down / 2 + MARKER_OUTSIDE_MM) * scale
            drawing.rectangle((x - side / 2, y - side / 2), (side, side), INK)
    drawing.text(middle, f"play area {across:.0f} x {down:.0f} mm", 14, "middle")
