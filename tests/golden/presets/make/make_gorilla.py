"""Writes task data as Gorilla's documentation describes them (Task Builder 1). Nobody can run Gorilla here.

Each move is a screen of its own, so the reaction time is that of the move. There is no number of the attempt: Gorilla's
own `Attempt` counts the answers on a screen.
"""

import csv
from zoneinfo import ZoneInfo

from experiment import OUT, at, sittings, word

HEADER = """Event Index;UTC Timestamp;UTC Date and Time;Local Timestamp;Local Timezone;Local Date and Time;Experiment ID
Experiment Version;Tree Node Key;Repeat Key;Schedule ID;Participant Public ID;Participant Private ID
Participant Starting Group;Participant Status;Participant Completion Code;Participant External Session ID
Participant Device Type;Participant Device;Participant OS;Participant Browser;Participant Monitor Size
Participant Viewport Size;Checkpoint;Room ID;Room Order;Task Name;Task Version;Spreadsheet;Spreadsheet Name;Spreadsheet Row
Trial Number;Screen Number;Screen Name;Zone Name;Zone Type;Reaction Time;Reaction Onset;Response Type;Response;Attempt
Correct;Incorrect;Dishonest;X Coordinate;Y Coordinate;Timed Out;randomise_blocks;randomise_trials;display;level
condition""".replace("\n", ";").split(";")


def write():
    (OUT / "gorilla").mkdir(parents=True, exist_ok=True)
    with open(OUT / "gorilla" / "data_exp_10001-v3_task-a1b2.csv", "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, HEADER, lineterminator="\r\n")
        writer.writeheader()
        for sitting in sittings():
            for index, cells in enumerate(rows(sitting), 1):
                writer.writerow({"Event Index": index, **cells})
        writer.writerow({"Event Index": "END OF FILE"})


def rows(sitting):
    public, private = sitting.participant, 1000000 + sitting.number
    zone = ZoneInfo("America/New_York")

    def row(milliseconds, **cells):
        utc = at(sitting, milliseconds)
        local = utc.astimezone(zone)
        hours = local.utcoffset().total_seconds() / 3600
        epoch = round(utc.timestamp() * 1000)
        return {
            "UTC Timestamp": epoch, "UTC Date and Time": f"{utc:%d/%m/%Y %H:%M:%S}", "Local Timestamp": epoch + round(hours * 3600000),
            "Local Timezone": f"{hours:g}", "Local Date and Time": f"{local:%d/%m/%Y %H:%M:%S}", "Experiment ID": 10001,
            "Experiment Version": 3, "Tree Node Key": "task-a1b2", "Schedule ID": 500 + sitting.number, "Participant Public ID": public,
            "Participant Private ID": private, "Participant Status": "complete", "Participant Device Type": "computer",
            "Participant Device": "Desktop", "Participant OS": "Linux", "Participant Browser": "Firefox 140.0",
            "Participant Monitor Size": "1920x1080", "Participant Viewport Size": "1280x800", "Task Name": "Rush Hour", "Task Version": 3,
            **{name.replace("_", " "): value for name, value in cells.items() if name not in ("level", "condition", "display")},
            **{name: value for name, value in cells.items() if name in ("level", "condition", "display")},
        }

    def took(milliseconds):
        return repr((100000.1 + milliseconds) - 100000.1)  # a browser's clock in milliseconds, with its rounding

    yield row(0, Trial_Number="BEGIN TASK")
    trial = 0
    for screen in sitting.screens:
        sheet = {"Spreadsheet": "sheet1", "Spreadsheet_Name": "sheet1"}
        if screen.kind in ("instruction", "end"):
            yield row(screen.onset + screen.duration, **sheet, Spreadsheet_Row=1, Screen_Number=1, Screen_Name="Text", Zone_Name="Next",
                      Zone_Type="continue_button", Reaction_Time=took(screen.duration), Response="", display=screen.kind)
            continue
        if screen.kind == "ready":
            trial += 1
            number = 0
            continue
        own = {**sheet, "Spreadsheet_Row": trial + 1, "Trial_Number": trial, "display": "trial", "level": screen.level, "condition": sitting.condition}
        if screen.kind == "fixation":
            number += 1
            yield row(screen.onset + screen.duration, **own, Screen_Number=number, Screen_Name="Fixation", Zone_Name="fixation",
                      Zone_Type="fixation", Reaction_Time=took(screen.duration))
            continue
        for move in screen.rows:
            number += 1
            yield row(screen.onset + move.t, **own, Screen_Number=number, Screen_Name="Board", Zone_Name="board", Zone_Type="response_button_text",
                      Reaction_Time=took(move.rt), Response=word(move), Attempt=1, Correct=0, Incorrect=1)
    yield row(sitting.screens[-1].onset + sitting.screens[-1].duration, Trial_Number="END TASK")
