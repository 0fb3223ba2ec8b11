"""Every number of the reading on one score."""

from __future__ import annotations

from dataclasses import dataclass

from geometry.laid import LAID_DEG, LAID_MM


@dataclass(frozen=True, slots=True)
class ReadingConfig:
    """What is assumed of prints, light and looks. Whiteness and chroma are shares of how white the
    white near by is; lengths are mm on the table. *Fitted* says on what; what is not said to be
    fitted was set by the reason given, once.
    """

    density: float = 2.0
    """Places a mm, each way: a line of 0.9 mm and a dot of 4.2 mm show well."""

    opening_mm: float = 6.5
    """White is what rises over its surroundings and is no wider: dots are up to 4.8 mm wide."""
    near_mm: float = 12.0
    """Each place of a card has white within so far: dots, lines, badge."""
    least_white: float = 14.0
    """Grey levels: white rises at least so far over black, or noise would pass for white."""
    line_share: float = 0.02
    """The whitest share of a picture are lines: the light's colour is taken from them."""
    line_reach_mm: float = 0.5
    """A line is asked for its whitest within so far: prints lie off by up to half a mm."""
    burnt: float = 245.0
    """Grey levels of the middle channel beside the white, from which white, and a pale ink, is
    burnt: lamps' mirror images lend what is under them a colour of their own."""
    black_near_mm: float = 30.0
    """Each place of a card has black within half of this."""
    veil_mm: float = 30.0
    """A veil's colour is that of the black within about so far: a lamp's mirror image changes
    within a card ..."""
    veil_share: float = 0.02
    """... where so much of what is near, or more, is black; where less is, of all cards' black."""
    black_share: float = 0.3
    """Of what shows within a card's frame so much is taken for black: of that of the face that has
    least 0.45 is."""

    chroma_reach: float = 1.0
    """Chroma beyond this is as good as this: inks lie within 0.8."""
    chroma_cells: int = 21
    white_cells: int = 8
    whitest_cells: int = 6
    """Cells of the densities, along each of two axes of chroma and of two whitenesses; an odd
    number of chroma: what has none lies in the middle of one."""
    fine_cells: float = 0.7
    broad_cells: float = 2.5
    """Sigmas, in cells, that densities are smoothed by: what was seen, and what is like it."""
    broad_share: float = 0.2
    """Share of the broad ones: a thing looks otherwise on a card that was not seen yet."""
    unseen_places: float = 50.0
    """So many places of anything are added to what was seen: of little that was seen little is
    known."""
    level_cells: int = 12
    """Cells of how far a place rises over the black near by."""
    level_nats: float = 0.4
    """So much a place's level says at most, one way or the other: a lamp's mirror image lifts most
    of a card, whose lines and band have to outweigh it. Fitted on 27 scenes (seeds 3000 to 3009 of
    `printed`, `real`, `hard`): with 0.7 the truest card gains 102 at 0.25 looks a mm² and the
    falsest 119, without it 354 and 162, with this about 210 and 119."""
    start_places: float = 20000.0
    """So many places that a starting card shows are taken for granted, about as many as a card has:
    by what it alone teaches any piece of a dark table could be one ..."""
    start_line_share: float = 0.2
    start_edge_share: float = 0.25
    """... these shares of them lines and edges beside those, the rest black: the published deck's
    starting card has 0.16 and 0.25."""
    few_lines: float = 50.0
    """Places of lines of one whiteness beside an ink, below which those beside others say what they
    look like: a card shows about a thousand in all."""
    start_as_deck: float = 0.5
    """How likely its printing draws a line, or none, where the deck does, besides by chance."""
    outliers: float = 0.002
    """Share of places that show anything at all: wear, gloss, what lies on cards. No place costs
    more than its logarithm."""
    tile_mm: float = 40.0
    """What is no card is learned by tiles of this size ..."""
    tile_reach: float = 1.2
    """... and from its neighbours, by a normal of so many tiles ..."""
    tile_share: float = 0.7
    """... and to the rest from the whole picture."""
    whitest_share: float = 0.01
    """Of all places so many are near the whitest lines. What is no card is learned apart where the
    white near by is `dim_share` of that, and where it is less: features are shares of it, and far
    from it a table's grain is large. With 0.003 to 0.1 false cards on four dark tables cost 9 to
    115 nats that gained up to 20, and a starting card of a very dim one gains 35 to 39."""
    bare_mm: float = 2.0
    """So far from the cards the table is bare: shadows and their bent ends are nearer."""

    edge_mm: float = 0.5
    """So near an edge of what is drawn a place is an edge: the least of a misprint and of blur."""
    cut_inside_mm: float = 0.75
    cut_outside_mm: float = 0.5
    """So near its cut edge a card shows ink, white, shadow or what lies below."""
    band_mm: float = 2.75
    """A starting card is black so far from its cut edge; printings differ in the rest."""
    mark_mm: float = 7.5
    """So far from its middle a card may have a badge, of whatever printing; it is compared with the
    deck's own ..."""
    symbol_mm: float = 3.0
    """... and so far from the symbol's place a symbol."""
    badge_mm: float = 6.6
    """So far from its own middle a badge is compared with others of the table ..."""
    badge_off_mm: float = 1.0
    """... which lies so far at most from where it should: misprint, and what the card's place is
    off by."""
    badge_looks: float = 15.0
    """Independent looks that a whole badge is worth: with it the faces of 338 badges of nine
    pictures, two of them in other typefaces, are likeliest as they are, of 10, 15, 20 and 30."""
    badge_chance: float = 0.35
    """Of what lies in the middle of a false frame so much is left at least that is unlike the badge
    that it is most like: of 2,691 on six pictures 0.28 to 0.9, of 150 true cards 0.02 to 0.2."""
    badge_rest: float = 0.005
    """Of what a badge shows so much is never as drawn, however like."""

    frame_white: float = 0.37
    """Whiteness from which a place may be a frame's line, when frames are sought."""
    frame_step_deg: float = 2.0
    """Angles that frames are sought at: at a frame's corner half of it is 0.8 mm."""
    paper_step_deg: float = 4.0
    """Angles that frames in paper are sought at: paper is wider than a line, and may lie off by
    1.6 mm at a frame's corner."""
    paper_contrast: float = 0.3
    """Whiteness by which paper round a frame rises at least over the black within."""
    frame_spacing_mm: float = 4.0
    """Between places of a frame that are asked for its line, when frames are sought."""
    frame_straight_mm: float = 2.0
    """A line goes on so far either way ..."""
    frame_beside_mm: float = 2.6
    """... and is not white so far beside: a line's 0.9 mm, blurred, and what it may lie off."""
    frame_least_share: float = 0.22
    """Of a frame that is proposed so much shows at least. Of 431 cards of 12 scenes (seeds 100 to
    103 of `printed`, `real`, `hard`) the least seen one shows 0.34."""
    frame_apart_mm: float = 3.0
    """Frames whose middles lie nearer are one card's: the one that shows most is proposed. Where
    another card's edge covers a line, one of its own may pass for that, a few mm off."""
    most_frames: int = 2000
    """So many are fitted at most, those first that show most: a bound on time, which a crowded
    table must not reach before its last card. A card that lies between the angles sought shows a
    third of its frame there, and 0.97 once it is fitted: of 73 cards (seed 885000 of `real`), with
    frames 4 mm apart, the last one is the 1,163rd of 1,786."""
    fit_spacing_mm: float = 3.0
    """Between places of a frame that its fit looks at."""
    fit_reaches_mm: tuple[float, ...] = (2.5, 1.5, 1.0, 0.75, 0.75)
    """How far off a line is looked for, fit after fit."""
    fit_step_mm: float = 0.25
    fit_contrast: float = 0.2
    """Whiteness that a line rises by over what is beside it, to be one."""
    fit_off_mm: float = 0.4
    """What lies off by so much counts half: another card's line, or a misprint."""
    fit_clear_mm: float = 1.0
    """So far from a card above a line is fitted that runs under it."""
    fit_sigma_mm: float = 0.25
    """What a point of a frame tells of its place is off by (sigma): by the curvature of the fit, so
    that places are as exact as those of `vision/heights/pose_spread.py` ..."""
    print_mm: float = 0.08
    print_deg: float = 0.08
    """... together with these. Misprint, however much of a frame shows, besides that of its sides:
    with it 434 pairs of touching cards on 12 photographs of printed cards lie off by 0.80 within
    one sigma across the slant, 0.98 within two and 1.00 within three, ..."""
    height_mm: float = 0.12
    """... how high a card lies against those near by, by which it seems shifted: along the slant it
    is 0.78, 0.965 and 0.993 with it, and"""
    curl_deg: float = 0.024
    """... what curl turns it by, where it seems shifted by as much as it is high."""
    curl_mm: tuple[float, float] = (0.4, 0.0)
    curl_sigma_mm: tuple[float, float] = (0.9, 0.4)
    """By how much a card's ends, and its sides, lie higher than its middle (mean, sigma) ..."""
    curl_cards: float = 2.0
    """... which is worth so many cards of the table. Cards are simulated whose ends curl upwards by
    up to 2 mm (sigma), and their sides by a third of that either way."""
    most_curl_mm: tuple[float, float] = (-2.0, 4.5)
    """A card's ends are tried as low and as high as this: of 42 cards of the most bent table (seed
    887001 of `real`) one lies 4.04 mm high."""
    size_sigma: float = 0.003
    """By which share (sigma) a card seems wider, or longer, than others: where it lies on more than
    is known, and where the plane or the lens are a little otherwise. Sizes of cards on five
    simulated tables differed by 0.0008 to 0.0017 where the lens is known (`vision/heights`); on
    `real` 887001, 300 mm below the lens, places without it were twice as far off."""
    bow_mm: float = 0.2
    side_mm: float = 0.12
    shapes_mm: float = 0.3
    """By how much (sigma) a print is bowed at its ends and sides, by how much a side of its frame
    lies beside where it should, and by how much all shapes of a face do. On five photographs of
    printed cards that seem flat pairs lie off by 0.25 mm (rms, along the slant) with them, 0.35
    without a bow, 0.39 without all three; by 0.20 if no card were bent."""
    bent_reaches_mm: tuple[float, ...] = (1.5, 1.0, 0.75, 0.75, 0.75)
    """How far off a line of a bent card is looked for, fit after fit, from ends that are tried a
    millimetre from one another."""
    laid_mm: float = LAID_MM
    laid_deg: float = LAID_DEG
    """How exactly (sigma) players lay a card on a shape: where little of the card below shows,
    those on it tell where it lies."""
    growth_share: float = 0.7
    """A card of whose frame so much shows tells how large the cards are."""
    hue_beyond_nats: float = 4.0
    hue_sigma_deg: float = 3.0
    """How unlikely a hue is just beyond those that a colour's printings have, and how fast (sigma)
    it gets more so: of 3,300 inks on 830 simulated tables nine lay beyond, by 3.5 degrees at most.
    """
    symbol_reach_mm: float = 3.6
    """So far round a symbol's place nothing but the badge is printed, in whatever printing."""
    symbol_unlike: float = 0.02
    """Which share of an ink's symbol, unlike the likeliest look of its colour's, is a nat: of the
    median of a colour's cards its own leaves 0.02 to 0.05, a neighbour's on the colour circle 0.03
    to 0.2 more."""
    symbol_most_nats: float = 6.0
    other_symbol_nats: float = 3.0
    """What an ink's symbol may say at most, between names whose inks lie close; and minus the log
    prior of a printing with other symbols than the deck's, and of each that it draws."""
    illegal_cost: float = 3.0
    """Minus the log prior of a placement that breaks a rule, over one that does not: one in
    twenty ..."""
    mismatched_cost: float = 4.0
    """... and so much more where no shapes match. Fitted on 20 simulated rounds (seeds 50000 to
    50019): of 3,835 other sides, turns and faces of legal cards 2,790 match nothing, and of 150 of
    illegal ones none is legal: by both together, one in a thousand."""
    settled_rounds: int = 8
    """So many cards are taken for something else, at most, because it is legal."""
    doubted: float = 0.0005
    """A table of another score that is likelier than this is a doubt."""
    same_mm: float = 2.0
    same_deg: float = 3.0
    """Fitted places nearer than both are one."""

    most_widened: int = 2
    """So often more of the picture is looked at, as frames reach out of what was."""
    pool_share: float = 0.55
    """Of a frame that is asked by the score so much shows at least. Of the same 431 cards the least
    seen one shows 0.73 after its fit, a card under two others on another table 0.64; lines of cards
    that lie on it count as its own ..."""
    pool_rough_share: float = 0.65
    """... or so much, as frames are sought: what is beside a line is looked for farther off there,
    and where a picture is blurred a line rises little over what is near."""
    plain_share: float = 0.8
    """A frame that shows so much may lie on the first table ..."""
    plain_of_most: float = 0.9
    """... or one that shows so much of what the one does that shows most ..."""
    plain_apart_mm: float = 25.0
    """... if its middle lies so far from those of all that show more."""
    exchange_mm: float = 20.0
    """A proposal whose middle lies so near a card's crowds it out: one for the other."""
    taught_nats: float = 40.0
    taught_mm2: float = 50.0
    taught_trials: int = 3
    """Of pairs that lose no more than that the other way round, by what the table taught before,
    and plainly differ on so much, so many are tried by what they teach themselves."""
    added_bare: float = 0.4
    added_trials: int = 6
    """Of proposals on whose places so much is bare so many are tried once more where what is no
    card is learned without them, those first of whose frames most shows. On one table a veiled card
    had lost 259 nats and gains 127 so, and 21 by all that it teaches, in an ink of its own."""
    taken_nats: float = 100.0
    """Cards are taken off one after another as long as the table loses no more than that: three
    false ones that hold one another lose 62 before the third gains 172. In the ledger the absence
    of a card that gains less is weighed by what either table teaches."""
    left_out_nats: float = 20.0
    """What would have lost no more by lying there is asked once more: thirteen more than what is
    doubted, as it was asked before the printing was learned for the last time."""
    start_trials: int = 3
    """So many cards are tried as the starting card where none lies."""

    marker_growth: float = 0.008
    """Share by which cards may seem larger or smaller than markers have it: right ones agree with
    them within 0.002."""
    stack_step_mm: float = 0.4
    stack_step_sigma_mm: float = 0.1
    """By so much a card lies over the highest below it: its thickness of 0.33 mm and some air, 0 to
    0.3 mm as it is simulated; fitted table by table from here (mean, sigma) ..."""
    least_step_mm: float = 0.2
    """... and not less than this: of planes that are a little aslant some is taken for a step."""
    through_mm: float = 0.4
    """A card that seems to reach into a higher one by that may lie beside or under it all the same,
    once in e times: of so narrow a strip the picture says little, and which came first ..."""
    beside_mm: float = 0.15
    """... and one that seems to lie so far beside may rest on it: by how exactly places are known.
    """

    looks_per_mm2: float = 0.04
    """Independent looks that a mm² is worth: kappa of the score. Fitted: with it the leads of 6,258
    faces, orders and inks in the same scenes are likeliest as they came out."""
    card_cost: float = 27.0
    """Minus the log prior of a card anywhere: one of 680 x 510 mm and 360 degrees, to half of each,
    76 faces, sides and turns and six inks."""
    twice_cost: float = 20.0
    """Minus the log prior of a face that its colour has already: only with two decks mixed."""
    starts_cost: float = 200.0
    """Minus the log prior of each starting card after the first: a game has one."""
    strength_sigma: float = 0.2
    card_hue_sigma_deg: float = 4.0
    most_hue_sigmas: float = 1.5
    """By how much, as a logarithm, the strength of one ink differs from card to card (sigma), and
    by how much its hue, and by how many sigmas at most: inks of a deck lie 15 degrees apart."""
    chroma_sigma: float = 0.02
    """How exactly the mean chroma of an ink is known: the paler it is, the less is its hue."""
    ink_cost: float = 80.0
    """Minus the log prior of one more ink: of 9 numbers that its densities of ink and of badge
    have free each, to a hundredth. Edges are between those. With half of it nine cards in
    an ink of their own, that lay nowhere, held one another on a cloth (seed 884001 of `real`)."""
    inks_cost: float = 200.0
    """Minus the log prior of each ink beyond the deck's colours: none is printed in two."""
    known_share: float = 0.6
    """Of what lies uncovered of a known card's frame so much shows, or it may lie elsewhere by
    now ..."""
    known_agree: float = 0.75
    """... and of the known cards so many show, or the table lies elsewhere, or is another one."""
    worse_near_mm: float = 5.0
    worse_nats: float = 1.5
    """Within so far a known card looks worse than usual on average by so much a place ..."""
    worse_mm2: float = 10.0
    """... and one that does on so much is asked again. Of 61 cards of a simulated game that stayed
    as they were none has 1 mm²."""
    new_white_mm2: float = 15.0
    """White that no known card draws is looked at for frames where there is so much of it: of a
    frame of which `frame_least_share` shows it is four times as much ..."""
    new_share: float = 0.15
    """... and so much of a frame lies on it, or the frame is of known cards' lines."""
    most_changed: int = 3
    """So many cards are laid, moved or taken in a turn; where more is otherwise than it was known,
    everything is read anew."""
    thing_cost: float = 27.0
    """Minus the log prior of a thing over the cards, which has a place and a size as a card has. On
    9 photographs of printed cards with nothing over them no piece that cards are in gains more than
    11, with an arm, napkin, telephone or cup in 7 of 9 from 24 to 4,900 ..."""
    thing_mm: float = 15.5
    """... no thing is narrower: a finger, a pen's shadow ..."""
    thing_near_mm: float = 10.5
    """... and where it lies, what is near by on average is unlike what the table explains."""
    thing_least_mm2: float = 500.0
    """What is no card near the cards is learned outside their hull, where there is so much of it:
    inside it would be learned from the thing."""
    thin_mm: float = 2.0
    wide_mm: float = 6.0
    thin_needed: float = 0.5
    """White differs within 2 mm, in which a sharp line falls off, so much of what it does within 6
    mm, further than a dot is wide, or the picture is blurred: of 24 sharp pictures the least has
    0.63, copies shaken by a 500th of their width 0.49 to 0.78, by a 260th 0.33 to 0.62."""
    dim_share: float = 0.35
    """White on a card in the dimmest light is so white over that of known cards."""
    white_near_mm: float = 10.0
    white_near_share: float = 0.04
    """Of what lies so near so much is white: half of what a line through it has."""
    rounds: int = 9
    """So often the printing is learned and every card asked again, at most."""
    unequal_cost: float = 3.0
    """Minus the log prior of each card that a colour has fewer than the fullest one, where nobody
    ended the round at once."""
