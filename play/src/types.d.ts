// What the board and the games say to each other. Nothing here names a game: a game is pictures and legal moves.

import type { Translator } from './i18n.js'

/** A way to move on the board. */
export type Direction = 'up' | 'right' | 'down' | 'left'

/** A side of a cell. */
export type Side = 'top' | 'right' | 'bottom' | 'left'

/** How shapes of one kind look. */
export interface Paint {
  /** How a shape fills its rectangle: all of it, with rounded corners; as an ellipse; with its label alone; with an image. */
  form: 'block' | 'disc' | 'label' | 'image'
  /** piece: colour and a thin line; plain: colour alone; target: a thick outline. */
  style: 'piece' | 'plain' | 'target'
  /** Colour as `#rrggbb`. */
  fill: string
  /** Colour of a label on it, as `#rrggbb`. */
  ink: string
  /** The free border, as a share of the smaller side. */
  inset: number
  /** Whether it lies below everything that moves, such as a goal or a peg. */
  below: boolean
  /** Whether the label only names the shape, so that a board can do without. */
  named: boolean
  /** The parts of an image. */
  image?: ImagePart[]
}

/** A part of an image. */
export interface ImagePart {
  /** Closed outlines: x and y of each point in turn, in thousandths of the image. */
  outlines: number[][]
  /** Colour as `#rrggbb`. */
  fill: string
}

/** A shape inside a rectangle in units of cells, row 0 on top. Shapes are drawn in the order of their list. */
export interface Shape {
  row: number
  column: number
  rows: number
  columns: number
  paint: Paint
  label: string
}

/** What all pictures of a level share. */
export interface BoardSize {
  /** Number of columns. */
  width: number
  /** Number of rows. */
  height: number
  /** Whether it has a frame and the lines of its cells. */
  grid: boolean
  /** The cells at which the frame is open, each with its side. */
  openings: [row: number, column: number, side: Side][]
  /** The part that shows the goal, and the height of its caption. */
  goal: [row: number, column: number, rows: number, columns: number, caption: number] | null
}

/** A position, as the game knows it. */
export interface Position {
  id: number | string
  solved: boolean
  /** Solved, or without a legal move. */
  ended: boolean
}

/** How a player makes a move, where a picture cannot tell: by a swipe, or by pressing a cell. */
export type Gesture = { swipe: Direction } | { press: [row: number, column: number] }

/** A legal move of a position. */
export interface Move {
  notation: string
  /** In the unit of the game. */
  cost: number
  gesture: Gesture | null
  /** The picture after the move, before chance has its turn. */
  after: Shape[]
}

/** A level that can be played: all that the board knows. */
export interface Game {
  level: string
  board: BoardSize
  /** What costs and distances count: `moves`, `cells` or `points`. */
  unit: string
  /** The aim of the level in one sentence, by language; empty or missing where the rules give none. */
  aim: Record<string, string>
  /** Whether `hint` can answer. */
  hints: boolean
  start(): Promise<Position>
  moves(position: Position): Promise<Move[]>
  /** The position after a move and the move as it is logged: with what chance did, where chance has a turn. */
  play(position: Position, move: Move): Promise<{ position: Position; notation: string }>
  picture(position: Position): Promise<Shape[]>
  /** An optimal move and the distance to the goal before it; nothing where no goal can be reached. */
  hint(position: Position): Promise<{ notation: string; distance: number } | null>
}

/** A place that a piece can be moved to. */
export interface Target {
  /** Place of the piece after the move. */
  row: number
  column: number
  /** The way to it. */
  down: number
  right: number
  move: Move
  /** Index of the piece in `move.after`. */
  after: number
}

/** A shape that can be moved by hand. */
export interface Piece {
  /** Index in the picture. */
  shape: number
  targets: Target[]
}

/** A cell that can be pressed. */
export interface Press {
  row: number
  column: number
  move: Move
}

/** Which moves of a position are made how. Each legal move occurs in at least one of the lists. */
export interface Controls {
  swipes: Partial<Record<Direction, Move>>
  presses: Press[]
  pieces: Piece[]
  /** The moves that nothing on the board can make. */
  others: Move[]
}

/** A point on the board in units of cells. */
export interface Point {
  row: number
  column: number
}

/** How a level came to its end. */
export type Outcome = 'solved' | 'given_up' | 'time' | 'moves' | 'ended'

/** What a player did. */
export interface PlayEvent {
  event: 'start' | 'move' | 'undo' | 'reset' | 'hint' | 'give_up' | 'solved' | 'limit'
  /** The move in the notation of logs: that was made, taken back or hinted at; `seconds` or `moves`, where a limit ended the level; else empty. */
  action: string
  /** The clock of the options at the moment of the input. */
  time_ms: number
  /** From 1; a reset belongs to the attempt that it ends. */
  attempt: number
}

/** What was done before a page was loaded again, as `onEvent` got it. */
export interface Step {
  event: string
  action: string
  /** Where all steps have it, the clock of the level goes on from there. */
  time_ms?: number
}

/** What may be done in a trial: one level that one person plays. */
export interface TrialOptions {
  canUndo: boolean
  canReset: boolean
  limits: { moves?: number; seconds?: number }
  onEvent: (event: PlayEvent) => void
  /** The clock, in milliseconds. */
  now: () => number
}

/** How a board behaves. */
export interface BoardOptions extends TrialOptions {
  language: string
  /** Texts instead of those of the language. */
  texts: Record<string, string>
  /** Whether a player may ask for hints; the game has to have them too. */
  hints: boolean
  canGiveUp: boolean
  progress: { level: number; of: number } | null
  showClock: boolean
  showMoves: boolean
  /** Whether pieces have the letters that name them. */
  letters: boolean
}

/** In which order things come: as they are listed, drawn by chance, or by rows of a balanced Latin square. */
export type Order = 'given' | 'shuffled' | 'latin-square'

/** HTML that the people who run a study are trusted with; the content security policy keeps scripts out. */
export type Html = string

/** A question of a study. */
export interface Question {
  /** The action of its answers. */
  name: string
  text: Html
  type: 'choice' | 'likert' | 'text'
  /** What can be chosen; of a Likert scale the labels of its points, empty for a point without one. */
  options: string[]
  /** Whether several options can be chosen. */
  multiple: boolean
  /** Whether a text may have several lines. */
  long: boolean
  required: boolean
  /** Before the first block, after each level or block (not after practice), or after the last block. */
  when: 'start' | 'level' | 'block' | 'end'
}

/** What happens in the sessions of a condition. */
export interface Plan {
  condition: string | null
  consent: Html | null
  instructions: Html[]
  /** Ids of levels. No level occurs twice in a plan, practice included. */
  practice: string[]
  blocks: { name: string; levels: string[]; order: Order }[]
  block_order: Order
  /** After every so many levels, and between blocks; practice does not count. Without `html` the page has words of its own. */
  breaks: { every: number | null; blocks: boolean; html: Html | null }
  questions: Question[]
  debriefing: Html | null
  completion: { code: string | null; link: string | null }
  hints: boolean
  undo: boolean
  reset: boolean
  give_up: boolean
  clock: boolean
  counter: boolean
  /** Whether pieces have the letters that name them. */
  letters: boolean
  /** Of each level. */
  limits: { seconds: number | null; moves: number | null }
}

/** A study, as its server or its site tells it. All addresses are relative to the page. */
export interface Study {
  /** Tells what is kept in the browser from that of other studies at the same address. */
  name: string
  title: string
  language: string
  /** Texts instead of those of the board and of the page, by the names in `texts.js`. */
  texts: Record<string, string>
  /** Whether a server takes the events, and has the levels without map. */
  server: boolean
  /** Parameters of the link that may hold the participant; the first one that is there counts. */
  participant: string[]
  /** The same for the session. */
  session: string[]
  /** How a plan is chosen: by the number of the session, or by the parameter `condition` of the link. */
  assign: 'evenly' | 'url'
  /** Where the data of a site go. */
  save: { post: string | null; datapipe: string | null } | null
  /** Addresses of map files without and with distances. */
  levels: { id: string; map: string | null; hints: string | null }[]
  /** At least one. */
  plans: Plan[]
}

/** A level of a session. */
export interface LevelItem {
  kind: 'level'
  name: string
  /** Its id. */
  level: string
  /** `practice` for practice. */
  block: string
  /** From 1 over all levels of the session, practice included. */
  trial: number
  /** From 1 among the levels that are for practice, or among those that are not. */
  number: number
  of: number
}

/** A page of questions, and what it follows. */
export interface QuestionsItem {
  kind: 'questions'
  name: string
  questions: Question[]
  /** The level that they follow; else empty. */
  level: string
  block: string | null
  trial: number | null
}

/** Something that comes in a session. */
export type Item =
  | { kind: 'consent'; name: string; html: Html }
  | { kind: 'page'; name: string; html: Html; number: number; of: number }
  | LevelItem
  | { kind: 'break'; name: string; html: Html | null }
  | QuestionsItem
  | { kind: 'end'; name: string }

/** A step of a player, as the board or the page told it, and the level it was made in. */
export interface SessionStep {
  /** Empty where it belongs to none. */
  level: string
  attempt: number
  event: string
  action: string
  /** The answer to a question, or the number of the session. */
  value?: string
  /** The position in which an attempt starts, where chance draws it. */
  state_after?: string
  /** Of the plan, where it has one. */
  condition?: string
  /** Of a level, or of what an answer is about. */
  block?: string
  /** From 1 over all levels of the session, practice included. */
  trial?: number
  /** The clock of the page, in milliseconds; it starts anew whenever the page is loaded. */
  time_ms: number
}

/** A step as a server keeps it. */
export interface SessionEvent extends SessionStep {
  /** From 0 over the whole session. */
  seq: number
  /** The clock of the session, in seconds. It goes on when the page is loaded again, and never goes back. */
  onset_s: number
}

/** What tells a session from all others of the browser. */
export interface SessionKey {
  study: string
  participant: string
  /** The number or name by which its participant tells it from their others: the column `session` of logs. */
  session: string
}

/** Why nothing is recorded any more. */
export interface RecordingError {
  /** In the words of the server. */
  reason: string
  /** The session went on in another page; or the server takes no events of it, because of its link or for another reason. */
  kind: 'conflict' | 'link' | 'refused'
  /** How many steps of this page were not recorded. */
  nLost: number
}

/** What is used of a storage. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & Partial<Pick<Storage, 'key' | 'length'>> & {
  /** Resolves when what was written is on the disk, or when it is not to be waited for any longer; where that takes time. */
  settled?(): Promise<unknown>
}

/** Texts by key that a browser has on its disk soon after they were written. */
export interface Database {
  /** All whose keys begin so. */
  read(prefix: string): Promise<[key: string, text: string][]>
  /** Writes a text, or removes it; resolves when that is done, or has failed. */
  write(key: string, text: string | null): Promise<unknown>
}

/** What a log needs of the browser. */
export interface LogOptions {
  /** Where steps lie in case the page goes away; without it they do not outlive it. */
  storage: TextStorage | null
  /** Where they lie in case the browser goes away before its storage is on its disk. */
  database: Database | null
  /** The clock of the steps, in milliseconds. */
  now: () => number
  /** Milliseconds since 1970: the one clock that goes on while no page is open. */
  wall: () => number
}

/** What a local store needs of the browser and the page. */
export interface StoreOptions extends LogOptions {
  /** Called when something of `nWaiting`, `isLate`, `isKept`, `isInterrupted` or `fault` may have changed. */
  onChange: () => void
}

/** As `setTimeout` and `clearTimeout`. */
export interface Timers {
  set: (call: () => void, ms: number) => unknown
  clear: (timer: any) => void
}

/** What a recorder needs of it. */
export interface RecorderOptions extends StoreOptions {
  /** Address of the server, without a slash at the end. */
  base: string
  /** What the link has to show whose session it is; nothing where the server gives it, or asks for none. */
  token: string | null
  fetch: typeof fetch
  timers: Timers
}

/** Sends data, and fails where that did not work; `isAgain` says that it was tried before. */
export type Uploader = (data: string, isAgain: boolean) => Promise<void>

/** What keeps the events of a session: a recorder, or the store of a site. */
export interface EventStore {
  readonly events: readonly SessionEvent[]
  /** What the clock of the session shows, in seconds. */
  readonly onset: number
  /** How many events would be lost with the page, or are not with the server. */
  readonly nWaiting: number
  /** Whether some have waited for too long. */
  readonly isLate: boolean
  /** Whether those that wait lie in the storage of the browser. */
  readonly isKept: boolean
  /** Whether the server takes nothing until somebody has mended its log. */
  readonly isInterrupted: boolean
  readonly fault: RecordingError | null
  /** Several steps at once are recorded together or not at all. */
  record(steps: SessionStep | SessionStep[], onset?: number): void
  /** The page goes away. */
  leave(): void
  /** The line is there again, or the player looks at the page again. */
  wake(): void
}

/** What the page of a session runs on. */
export interface Backend {
  /** Of the link. */
  parameters: URLSearchParams
  /** Who plays where the link does not say; nothing where the page has to ask. */
  participant: string | null
  /** Opens a session and says which number it has where it begins; `number` and `token` are those of its link. */
  open(session: SessionKey, options: { onChange: () => void; now: () => number; number: number | null; token: string | null }): Promise<{ store: EventStore; number: number }>
  /** Has the server give a session its number and its condition, which may be that of the link; nothing where the page does. */
  begin: ((condition: string | null) => Promise<void>) | null
  /** Whether `save` leads anywhere. */
  canSave: boolean
  /** Resolves when all data are where they belong; fails where they cannot be sent. `onTrouble` is called when a try has failed. */
  save(onTrouble: () => void): Promise<void>
  /** The data as a file; nothing where a server has them. */
  download: { file: string; data: string } | null
  /** Leads away from the page at the end, where that is not up to the player. */
  finish: ((link: string | null) => void) | null
}

/** A button: the name of its text, and what it does. */
export type ErrorAction = [text: string, action: () => unknown]

/** Where a page of a session that is no level leads: each of them records what it is. */
export interface PageActions {
  next: () => unknown
  /** Nothing where there is no page before. */
  back: (() => unknown) | null
  answer: (answers: { name: string; value: string }[]) => unknown
  refuse: () => unknown
}

/** What the procedure of a session knows of a board. */
export interface LevelBoard {
  /** Resolves when the level is over and its end is on the screen. */
  readonly finished: Promise<{ outcome: Outcome }>
  begin(): Promise<void>
  resume(steps: Step[], time?: number): Promise<void>
  focus(): void
  destroy(): void
}

/** What shows a session and lets a person act in it. All words are names of texts, unless they are said to be words. */
export interface SessionView {
  /** From now on in this language; the study is none before it is there. */
  setLanguage(words: Translator, study: Study | null): void
  /** Asks who plays, by loading the page again; the present name, if any, is not possible. */
  askParticipant(parameter: string, wrong: string | null): void
  showParticipant(participant: string, session: string): Promise<void>
  showProgress(n: number, of: number): void
  showPage(item: Exclude<Item, { kind: 'level' | 'end' }>, actions: PageActions): void
  showBoard(item: LevelItem, level: { game: Game; kind: string; plan: Plan }, onEvent: (event: PlayEvent) => void): LevelBoard
  /** A board can be played. */
  boardReady(level: string, board: LevelBoard, game: Game): void
  offerNext(text: 'next' | 'continue', go: () => unknown): void
  showEnd(plan: Plan, backend: Backend, end: { isSaved: boolean; again: () => unknown }): void
  showDeclined(finish: (() => unknown) | null): void
  /** Does something while the words of a text are there. */
  whileWaiting(text: string, action: () => Promise<void>): Promise<void>
  /** What went wrong, why in words, and what can be done. */
  showError(title: string, reasons: string[], actions: ErrorAction[]): void
  /** Words that stay until there are others. */
  showNotice(words: string): void
  /** Words that are read aloud once. */
  announce(words: string): void
  clear(): void
  scrollToTop(): void
  reload(): void
  /** For whoever simulates a person. */
  reportError(error: unknown): void
}

/** What the procedure of a session needs beside its view. */
export interface SessionEnvironment {
  /** The clock, in milliseconds. */
  now: () => number
  timers: Timers
  loadStudy(): Promise<Study>
  backendOf(study: Study): Promise<Backend>
  loadGame(study: Study, level: string, hints: boolean): Promise<Game>
}

/** What is used of JATOS (jatos.org), as its `jatos.js` gives it. */
export interface Jatos {
  onLoad(call: () => void): void
  urlQueryParameters?: Record<string, string>
  studyResultId: number | string
  submitResultData(data: string): Promise<unknown>
  endStudy(): void
  endStudyAndRedirect(link: string): void
}
