// What the server and the page say to each other, and what the parts of the page share.

import type { BoardSize } from '../play/types.js'
import type { Translator } from '../play/i18n.js'

/** A fault of a study, a level or a log, with its place. */
export interface Fault {
  code: string
  severity: 'error' | 'warning'
  message: string
  label: string | null
  help: string | null
  file: string | null
  line: number | null
  column: number | null
  /** The marked line. */
  source: string | null
}

/** A file of the study; its name starts from the folder of the study. */
export interface StudyFile { name: string; n_bytes: number; is_missing: boolean; is_left_out: boolean; is_elsewhere: boolean }

/** What went wrong, with the key of the same in the language of the page. */
export interface Said { error?: string | null; message?: { key: string; values: Record<string, string> } | null }

/** What the server does at length. */
export interface Task extends Said {
  kind: '' | 'propose' | 'run' | 'play' | 'map'
  state: 'none' | 'running' | 'done' | 'failed' | 'stopped'
  stage: string
  done: number
  total: number | null
  seconds: number
  faults: Fault[]
  /** Counts changes. */
  n: number
}

/** The folder and its study. */
export interface Project {
  path: string
  name: string | null
  has_study: boolean
  study: string
  /** Entries that somebody chose, which a new proposal would not have. */
  chosen: string[]
  /** Tells this text of the study from all others. */
  revision: string
  /** Why the study cannot be read, where that is no fault of its text. */
  error?: string | null
  faults: Fault[]
  files: { levels: StudyFile[]; logs: StudyFile[] }
  /** Files that were taken out, where they are. */
  removed: string[]
  game: string | null
  games: string[]
  examples: { name: string; game: string }[]
  can_undo: boolean
  /** The run that the end of the program cut off. */
  interrupted: 'run' | 'preview' | null
  task: Task
  /** Of an undo and of a file that is brought back, the other name of a file whose place was taken. */
  brought_back?: string | null
  /** Of the last part of a file: what became of it. */
  received?: { n_bytes: number; added: string[]; left_out: Said[] }
  version: string
  language: string
  /** What starts this server again at the same address. */
  command?: string
}

/** An entry of the study and its new value; null removes it. */
export interface Edit { path: string[]; value: unknown }

/** A position with its picture. */
export interface Position { state: string; solved: boolean; paints: unknown; shapes: unknown }

/** A column with what says its meaning, and the edits that leave it out, where there are some. */
export interface LogColumn { name: string; role: string | null; unit: string | null; source: 'study' | 'preset' | 'name' | null; leave_out: Edit[] | null; part?: string | null; is_used: boolean; examples: string[] }

export interface LogRow { file: string; line: number; cells: (string | null)[]; outcome: string; code: string | null; reason: string | null; fix: string | null }

/** A finding of the reader or the doctor with what can be done about it. */
export interface Diagnostic {
  code: string
  consequence: string
  n: number
  file: string | null
  row: number | null
  column: string | null
  value: string | null
  rule: string | null
  fix: string | null
  remedies?: Remedy[]
}

export interface Remedy { key: string; edits: Edit[] }

export interface Frame { position: Position; action: string | null; time_s: number | null; is_goal: boolean }

/** An attempt as it was read. */
export interface ReadAttempt { participant: string; session: string; level: string; attempt: number; board: BoardSize; frames: Frame[] }

export interface UnusedRow extends Diagnostic {
  participant: string | null
  level: string | null
  attempt: number | null
}

/** What a meaning is read from: a column, with its unit or so, or a list of which the first that there is counts. */
export type ColumnEntry = string | { column?: string; unit?: string; first?: number; value?: string; template?: string } | ColumnEntry[]

/** How the study reads the logs. */
export interface Reading {
  /** The files by their columns, and the number of those that are shown. */
  tables: { files: string[]; n_files: number; n_columns: number }[]
  table: number
  columns: LogColumn[]
  /** Names of the columns of all files. */
  all_columns: string[]
  /** With the name of the column that is read so where nothing says another. */
  roles: { key: string; name: string; units: string[] }[]
  /** Parts of which moves can be made, such as `piece`. */
  part_keys?: string[]
  events: { value: string; meaning: string | null }[]
  event_names: string[]
  /** Names that the entry `table` can have. */
  table_names: string[]
  spec: { columns: Record<string, string>; entries: Record<string, ColumnEntry>; steps: { name: string; text: string }[]; has_own_steps: boolean; preset: string | null; table: string | null }
  account: { n_files: number; n_in_files: number; steps: { step: string; n_in: number; n_out: number }[]; n_read: number; parts: { key: string; n: number }[] }
  rows: LogRow[]
  /** Why the rows cannot be replayed as they are read. */
  error?: string | null
  n_rows: number | null
  share: number
  n_moves: number
  /** Rows that should be moves and cannot be used, and all that cannot. */
  n_unused: number
  n_left_over: number
  n_attempts: number
  n_solved: number
  n_participants: number
  n_levels: number
  seconds: number
  notes: { entry: string; certainty: string; reason: string }[]
  diagnostics: Diagnostic[]
  unused: UnusedRow[]
  attempts: ReadAttempt[]
}

export interface Anomaly {
  code: string
  n: number
  of: number
  counted: string
  n_trials: number
  n_participants: number
  first: string[]
  message: string
  advice: string
  remedies: Remedy[]
}

/** What the doctor says. */
export interface CheckAnswer {
  n_in_files: number
  /** Rows that steps and events of the log left out, and that steps made. */
  n_left_out_before: number
  n_made_before: number
  counts: Record<string, number>
  totals: Record<string, number>
  /** Remarks on the levels. */
  levels: string[]
  anomalies: Anomaly[]
  diagnostics: Diagnostic[]
  selections: { kind: 'include' | 'exclude'; index: number; of: string; condition: string; reason: string; n_rows: number; n_trials: number; n_participants: number }[]
  /** Address of its figure. */
  seconds: number
}

/** What the last run has left. */
export interface Result {
  has: boolean
  report: string
  is_preview: boolean
  /** Address of the report of the whole run that stands beside a preview. */
  whole: string | null
  interrupted: Project['interrupted']
  folder: string
  summary: Record<string, unknown> | null
  failed: { kind: string; name: string; reason: string; remedy: string | null }[]
  is_current: boolean
  /** Why it cannot be said what has changed. */
  changes_error: string | null
  changes: null | { text: string; rows: { what: string; table: string | null; name: string | null; before: string | null; after: string | null; n_differ: number | null; key: string | null }[]; n: number }
}

/** What can be explored. */
export interface Overview {
  n_rows: number
  n_participants: number
  n_trials: number
  /** The largest number of a trial within its participant; 0 where no order is known. */
  last_trial: number
  conditions: string[]
  levels: { level: string; optimal: number | null; n_states: number | null; n_trials: number; n_solved: number }[]
  participants: { participant: string; conditions: string[]; n_trials: number; n_solved: number; time_s: number | null; share_optimal: number | null }[]
  /** Whether means of participants are over solved trials alone. */
  only_solved: boolean
  factors: { key: string; values: string[] }[]
  measures: { key: string; unit: string; is_ratio: boolean }[]
  figures: string[]
  tables: { name: string; n_rows: number }[]
  /** Which people are shown, where that is not everybody. */
  sample: string | null
}

/** A participant at a level. */
export interface TrialRow {
  participant: string
  session: string
  level: string
  condition: string | null
  trial: number | null
  n_attempts: number
  solved: boolean | null
  n_moves: number | null
  optimal: number | null
  time_s: number | null
  share_optimal: number | null
  mean_regret: number | null
}

export interface TrialMove {
  action: string | null
  event: string
  time_s: number | null
  rt_s: number | null
  value: number | null
  value_before: number | null
  regret: number | null
  quality: string | null
  n_legal: number | null
  n_optimal: number | null
  position: Position
}

export interface TrialAttempt { attempt: number; solved: boolean | null; start: { position: Position; value: number | null }; moves: TrialMove[] }

/** Where a number stands among those of others. */
export interface Standing { n: number; p25: number; median: number; p75: number; rank: number | null }

export interface TrialAnswer {
  trial: TrialRow
  board: BoardSize
  attempts: TrialAttempt[]
  unit: string
  others: { n_moves: Standing | null; time_s: Standing | null; share_optimal: Standing | null; mean_regret: Standing | null }
  n_rows: number
}

export interface ParticipantAnswer {
  participant: string
  measures: ({ key: string; unit: string; value: number | null; n_trials: number; n_solved: number; only_solved: boolean; is_ratio: boolean } & Partial<Standing>)[]
  trials: TrialRow[]
  costly: { session: string; level: string; attempt: number; row: number; action: string; regret: number; before: Position; after: Position; board?: BoardSize }[]
  n_rows: number
}

export interface LevelAnswer {
  level: string
  unit: string
  optimal: number | null
  n_states: number | null
  n_shortest: number | null
  n_attempts: number
  n_rows: number
  board: BoardSize
  start: Position
  /** Why there is no map of all states. */
  no_map: string | null
  trials: TrialRow[]
  first_moves: { action: string; n: number; share: number; regret: number | null }[]
  traps: { position: Position; n_visits: number; n_errors: number; n_participants: number; value: number | null }[]
}

export interface Group { label: string; n_trials: number; n: number; median: number | null; p25: number | null; p75: number | null; mean: number | null }

export interface GroupsAnswer {
  n_rows: number
  /** Whether only solved trials are compared. */
  only_solved: boolean
  a: Group
  b: Group
  is_paired: boolean
  /** Whether the groups differ by a factor rather than by an amount. */
  is_ratio: boolean
  unit_of_analysis: string
  statistics: string
  /** None in a pilot. */
  test: string | null
  estimate: number | null
  lower: number | null
  upper: number | null
  confidence: number
  p: number | null
  reason: string | null
  n_left_out: number
}

/** A figure of the server: pages in print, and drawings for windows. */
export interface DrawnFigure { name: string; title: string; n_pages: number; n_wide: number; n_narrow: number }

export interface TakeAnswer { items: { key: string; files: { name: string; address: string; n_bytes: number }[] }[]; outside: string[]; with_ids: string[]; is_preview: boolean; has_results: boolean; is_current: boolean; command: string }

/** What the hash of the address says: a view, what is looked at in it, and parameters. */
export interface Route { view: string; part: string; query: URLSearchParams }

/** What each view gets. */
export interface Context {
  words: Translator
  project: Project
  route: Route
  /** Fires when the view is left or shown again. */
  signal: AbortSignal
  /** The address of a view. */
  to(view: string, query?: Record<string, string | number | null | undefined> | URLSearchParams): string
  /** Goes there; `replace` without a step in the history. */
  go(address: string, replace?: boolean): void
  /** Puts an address in the place of this one, of which the view shows already what it says. */
  keep(address: string): void
  /** Takes what the server said of the project, and shows the view again. */
  setProject(project: Project): void
  /** Edits the study. */
  edit(edits: Edit[]): Promise<boolean>
  /** Brings the study before the last change back. */
  undo(): Promise<boolean>
  /** Does what changes the project, and says what goes wrong; `seen` is the revision of the study before it. */
  act(action: (seen: string) => Promise<Project | null>, done?: string | ((project: Project) => string)): Promise<boolean>
  /** Words that are read aloud, and seen at the foot of the page. */
  say(text: string): void
  startTask(path: string, body: unknown): Promise<void>
  /** Asks the running task to end. */
  stop(): void
  /** Hears of the running task until the view is left. */
  onTask(hear: (task: Task) => void): void
  /** Shows the view again. */
  refresh(): void
}

export type View = (context: Context) => Promise<{ title: string; body: (Node | string)[] }>
