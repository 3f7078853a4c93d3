"""Runs an app in oTree with its bots, and exports what the page of an admin exports.

A round is a level, and what its page says in the end is in a field of the player: `moves` has all of it as JSON. Beside
it each move is said at once to a live method, which keeps it in an ExtraModel; a custom export writes these.
Only the codes, which are random, and the time are false. The session has four places, of which three were taken.
"""

import io
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
from datetime import datetime
from types import SimpleNamespace

from experiment import OUT, SITTING, sittings, word

FOLDER = OUT / "otree"
WORK = pathlib.Path(tempfile.mkdtemp())
SETTINGS = """
SESSION_CONFIGS = [dict(name="study_1", app_sequence=["rush_hour"], num_demo_participants=4)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1.00, participation_fee=0.00, doc="")
PARTICIPANT_FIELDS = ["condition"]
SESSION_FIELDS = []
LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "USD"
USE_POINTS = True
ADMIN_USERNAME = "admin"
ADMIN_PASSWORD = ""
SECRET_KEY = "1234567890"
"""
APP = """
import json

from otree.api import *


class C(BaseConstants):
    NAME_IN_URL = "rush_hour"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = 3
    LEVELS = ["demo-01", "demo-03", "demo-07"]


class Subsession(BaseSubsession):
    pass


class Group(BaseGroup):
    pass


class Player(BasePlayer):
    level = models.StringField()
    moves = models.LongStringField(blank=True)
    n_moves = models.IntegerField()
    gave_up = models.BooleanField()


class Move(ExtraModel):
    player = models.Link(Player)
    number = models.IntegerField()
    attempt = models.IntegerField()
    move = models.StringField()
    rt_ms = models.IntegerField()


def creating_session(subsession):
    for player in subsession.get_players():
        player.level = C.LEVELS[player.round_number - 1]
        if player.round_number == 1:
            player.participant.condition = CONDITIONS[player.participant.id_in_session - 1]


def custom_export(players):
    yield ["session", "participant_code", "round_number", "level", "number", "attempt", "move", "rt_ms"]
    for player in players:
        for move in Move.filter(player=player):
            yield [player.session.code, player.participant.code, player.round_number, player.level, move.number,
                   move.attempt, move.move, move.rt_ms]


class Board(Page):
    form_model = "player"
    form_fields = ["moves"]

    @staticmethod
    def live_method(player, data):
        Move.create(player=player, **data)

    @staticmethod
    def before_next_page(player, timeout_happened):
        events = [row["move"] for row in json.loads(player.moves)]
        player.n_moves = sum(event not in ("reset", "give_up") for event in events)
        player.gave_up = events[-1] == "give_up"


page_sequence = [Board]
"""
PAGE = """
{{ block title }}Free the red car{{ endblock }}
{{ block content }}
    <input type="hidden" name="moves">
    {{ next_button }}
{{ endblock }}
"""


def played(sitting, level):
    """What the page of a level has seen: times in milliseconds since it was shown, which run on through resets."""
    screens = [screen for screen in sitting.screens if screen.kind == "level" and screen.level == level]
    for screen in screens:
        for row in screen.rows:
            yield SimpleNamespace(attempt=screen.attempt, word=word(row), rt=row.rt, t=screen.onset - screens[0].onset + row.t)


def write():
    people = list(sittings())
    app = WORK / "rush_hour"
    app.mkdir()
    (WORK / "_static").mkdir()
    conditions = [sitting.condition for sitting in people] + ["accuracy"]
    (WORK / "settings.py").write_text(SETTINGS)
    (app / "__init__.py").write_text(APP + f"\nCONDITIONS = {conditions!r}\n")
    (app / "Board.html").write_text(PAGE)
    (app / "tests.py").write_text("from otree.api import Bot\n\n\nclass PlayerBot(Bot):\n    pass\n")
    os.chdir(WORK)
    os.environ["OTREE_IN_MEMORY"] = "1"
    sys.path.insert(0, str(WORK))
    sys.argv = ["otree", "bots"]

    import otree.main

    otree.main.setup()
    from otree import common, export
    from otree.bots.bot import Submission
    from otree.bots.runner import SessionBotRunner, make_bots
    from otree.database import db
    from otree.models import participant
    from otree.session import create_session

    import rush_hour
    from rush_hour.tests import PlayerBot

    common.rng = random.Random(1)
    now = [people[0].start]
    participant.datetime = SimpleNamespace(datetime=SimpleNamespace(utcnow=lambda: now[0].replace(tzinfo=None)))

    def play_round(bot):
        rows = list(played(people[bot.player.participant.id_in_session - 1], bot.player.level))
        for number, row in enumerate(rows, 1):
            data = {"number": number, "attempt": row.attempt, "move": row.word, "rt_ms": row.rt}
            rush_hour.Board.live_method(bot.player, data)
        db.commit()
        yield Submission(rush_hour.Board, {"moves": json.dumps([{"move": row.word, "t": row.t} for row in rows])})

    PlayerBot.play_round = play_round
    session = create_session(session_config_name="study_1", num_participants=4)
    bots = make_bots(session_pk=session.id, case_number=0, use_browser_bots=False)
    for sitting, bot in zip(people, bots):
        now[0] = sitting.start
        SessionBotRunner([bot]).play()

    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    day = people[-1].start.date().isoformat()
    for name, write_to in {
        f"all_apps_wide-{day}.csv": export.export_wide,
        f"rush_hour-{day}.csv": lambda file: export.export_app("rush_hour", file),
        f"rush_hour_custom_export-{day}.csv": lambda file: export.custom_export_app("rush_hour", file),
    }.items():
        text = io.StringIO(newline="")
        write_to(text)
        (FOLDER / name).write_text(text.getvalue(), encoding="utf-8", newline="")
