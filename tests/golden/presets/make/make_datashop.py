"""Writes a transaction export as DataShop's documentation describes it. Nobody can run DataShop here."""

from zoneinfo import ZoneInfo

from experiment import OUT, at, sittings

# Selection and KC stand there more than once where a transaction has several: DataShop then repeats the name.
HEADER = """Row;Sample Name;Transaction Id;Anon Student Id;Session Id;Time;Time Zone;Duration (sec);Student Response Type
Student Response Subtype;Tutor Response Type;Tutor Response Subtype;Level (Unit);Level (Section);Problem Name;Problem View
Problem Start Time;Step Name;Attempt At Step;Is Last Attempt;Outcome;Selection;Selection;Action;Input;Feedback Text
Feedback Classification;Help Level;Total Num Hints;Condition Name;Condition Type;KC (Default);KC Category (Default)
KC (Default);KC Category (Default);KC (Single-KC);KC Category (Single-KC);School;Class;CF (Device);Event Type""".replace("\n", ";").split(";")


def write():
    (OUT / "datashop").mkdir(parents=True, exist_ok=True)
    lines = [HEADER]
    for sitting in sittings():
        session = f"S-{sitting.number}"
        views = {}
        for screen in (s for s in sitting.screens if s.kind == "level"):
            views[screen.level] = views.get(screen.level, 0) + 1
            shown = local(sitting, screen.onset)
            steps = {}
            for number, row in enumerate(screen.rows):
                last = number == len(screen.rows) - 1
                piece = row.action[:1] if row.action else "board"
                step = f"{piece} {'UpdatePosition' if row.action else 'ButtonPressed'}"
                steps[step] = steps.get(step, 0) + 1
                later = any((r.action[:1] if r.action else "board") == piece for r in screen.rows[number + 1 :])
                cells = {
                    "Row": len(lines), "Sample Name": "All Data", "Transaction Id": f"{sitting.number:02}{len(lines):06x}",
                    "Anon Student Id": sitting.participant, "Session Id": session, "Time": local(sitting, screen.onset + row.t),
                    "Time Zone": "US/Eastern", "Duration (sec)": f"{row.rt / 1000:g}", "Student Response Type": "ATTEMPT",
                    "Tutor Response Type": "RESULT", "Level (Unit)": "Puzzles", "Level (Section)": "Rush Hour",
                    "Problem Name": screen.level, "Problem View": views[screen.level], "Problem Start Time": shown,
                    "Step Name": step, "Attempt At Step": steps[step], "Is Last Attempt": int(not later),
                    "Outcome": "CORRECT" if last and row.action else "UNKNOWN", "Action": step.split()[1],
                    "Input": row.action or row.event, "Total Num Hints": 0,
                    "Condition Name": sitting.condition, "Condition Type": "instruction",
                    "KC (Single-KC)": "Single-KC", "School": "none", "Class": "none", "CF (Device)": "mouse",
                }
                line = [str(cells.get(name, "")) for name in HEADER]
                line[HEADER.index("Selection")] = piece
                line[HEADER.index("Selection") + 1] = "board" if row.action else ""
                line[HEADER.index("KC (Default)")] = "slide" if row.action else ""
                if last and row.action:
                    line[HEADER.index("KC (Default)") + 2] = "exit"
                lines.append(line)
    text = "".join("\t".join(line) + "\n" for line in lines)
    (OUT / "datashop" / "ds0000_tx_All_Data.txt").write_text(text)


def local(sitting, milliseconds):
    return at(sitting, milliseconds).astimezone(ZoneInfo("US/Eastern")).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
