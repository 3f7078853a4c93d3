// The beginning: files and levels, an example, or a study written anew.

/** @import { Context, Project, StudyFile, View } from './types.js' */
/** @import { Api } from './api.js' */
/** @import { Chosen } from './upload.js' */

import { textOf } from './api.js';
import { ENGLISH, ask, button, faultList, field, hidden, link, make, menu, section } from './dom.js';
import { prettyName, size } from './format.js';
import { Uploads, chosenIn, droppedIn } from './upload.js';

/** So many entries are named that a new proposal would lose. */
const MOST_CHOSEN = 12;

/** What is on its way stays so while other views are looked at. @type {WeakMap<Api, Uploads>} */
const uploadsOf = new WeakMap();

/**
 * @param {Api} api
 * @returns {View}
 */
export const showStart = (api) => async (context) => {
  const { words, project } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  /** @type {Node[]} */
  const body = [make('p', { class: 'lead' }, t('start_lead'))];
  body.push(filesSection(api, context));
  if (project.files.levels.length + project.files.logs.length || project.has_study) body.push(proposalSection(context));
  if (!project.has_study) body.push(examplesSection(api, context), anewSection(api, context));
  return { title: t('start_title'), body };
};

/**
 * @param {Api} api
 * @param {Context} context
 */
function filesSection(api, context) {
  const { words, project } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const uploads = uploadsOf.get(api) ?? new Uploads(api);
  uploadsOf.set(api, uploads);
  const send = (/** @type {Chosen[]} */ chosen) => {
    if (!chosen.length) return;
    uploads.send(chosen, words, (next) => {
      context.say(words.translate('uploaded'));
      context.setProject(next);
    });
  };
  const files = chooser(t('choose_files'), 'files', false, send);
  const folder = chooser(t('choose_folder'), 'folder', true, send);
  const zone = make('div', { class: 'drop' }, make('p', {}, t('drop_here')), make('p', { class: 'tools' }, files, folder), make('p', { class: 'quiet' }, t('drop_help')));
  dropsInto(zone, send);
  const lists = make('div', { class: 'columns' }, fileList(api, context, 'levels'), fileList(api, context, 'logs'));
  const hasFiles = project.files.levels.length + project.files.logs.length > 0;
  return section(t('files'), zone, uploads.element, ...(hasFiles ? [lists] : []), ...removedList(api, context));
}

/**
 * A field for files that looks like a button, and is one for keys and readers.
 *
 * @param {string} text
 * @param {string} key
 * @param {boolean} isFolder
 * @param {(chosen: Chosen[]) => void} send
 */
function chooser(text, key, isFolder, send) {
  const input = make('input', { type: 'file', multiple: '', class: 'hidden', tabindex: '-1', 'aria-hidden': 'true', 'data-files': key });
  if (isFolder) input.webkitdirectory = true;
  input.addEventListener('change', () => {
    send(chosenIn(input.files));
    input.value = '';
  });
  return make('span', {}, button(text, () => input.click(), { 'data-key': `choose-${key}`, ...(isFolder ? {} : { class: 'primary' }) }), input);
}

/**
 * @param {HTMLElement} zone
 * @param {(chosen: Chosen[]) => void} send
 */
function dropsInto(zone, send) {
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('is-over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
  zone.addEventListener('drop', async (event) => {
    event.preventDefault();
    zone.classList.remove('is-over');
    if (event.dataTransfer) send(await droppedIn(event.dataTransfer));
  });
}

/**
 * @param {Api} api
 * @param {Context} context
 * @param {'levels' | 'logs'} kind
 */
function fileList(api, { words, project, act, edit }, kind) {
  const other = kind === 'levels' ? 'logs' : 'levels';
  const item = (/** @type {StudyFile} */ { name, n_bytes, is_missing, is_left_out, is_elsewhere }) => {
    const move = button(words.translate(`move_to_${other}`), () => act(() => api.post('api/files/kind', { name, kind: other })), { class: 'plain', 'data-key': `move ${name}` });
    const remove = button(words.translate('remove'), () => act(() => api.post('api/files/remove', { name }), words.translate('removed', { name })), { class: 'plain', 'data-key': `remove ${name}` });
    const add = button(words.translate('add_to_study'), () => edit([{ path: [kind === 'levels' ? 'levels' : 'log', 'files', '+'], value: name }]), { class: 'plain', 'data-key': `add ${name}` });
    for (const one of [move, remove, add]) one.append(hidden(` ${name}`));
    const about = is_missing ? make('span', { class: 'bad' }, words.translate('missing')) : make('span', { class: 'quiet' }, size(words, n_bytes));
    // Elsewhere nothing is moved or removed, and what is missing cannot be.
    const tools = is_missing || is_elsewhere ? [] : [move, remove];
    const left = is_left_out ? [make('span', { class: 'badge is-ask' }, words.translate('not_in_study')), add] : [];
    return make('li', {}, make('span', { class: 'name' }, name), about, ...left, ...tools);
  };
  const files = project.files[kind];
  const list = files.length ? make('ul', { class: 'files' }, ...files.map(item)) : make('p', { class: 'quiet' }, words.translate(`no_${kind}`));
  return make('div', {}, make('h3', {}, words.translate(kind)), list);
}

/**
 * The files that were taken out, whenever that was, with a button that brings each back; nothing without any.
 *
 * @param {Api} api
 * @param {Context} context
 */
function removedList(api, { words, project, act }) {
  if (!project.removed.length) return [];
  const told = (/** @type {Project} */ { brought_back }) => words.translate(brought_back ? 'undone_as' : 'brought_back', { name: brought_back ?? '' });
  return [make('h3', {}, words.translate('taken_out')), make('ul', { class: 'files' }, ...project.removed.map((name) => {
    const back = button(words.translate('bring_back'), () => act(() => api.post('api/files/back', { name }), told), { class: 'plain', 'data-key': `back ${name}` });
    back.append(hidden(` ${name}`));
    return make('li', {}, make('span', { class: 'name' }, name), back);
  }))];
}

/** The game that was chosen for a proposal which nobody has asked for yet. @type {string | null} */
let wanted = null;

/** @param {Context} context */
function proposalSection(context) {
  const { words, project } = context;
  const t = (/** @type {string} */ name) => words.translate(name);
  const games = menu('game', t('game'), [['', t('game_found')], ...gameOptions(context)], wanted ?? project.game ?? '', (game) => { wanted = game; });
  const isReady = project.files.levels.length > 0;
  const propose = button(t(project.has_study ? 'propose_anew' : 'propose'), async () => {
    if (project.chosen.length && !(await isToBeLost(context))) return;
    wanted = null;
    context.startTask('api/propose', { game: games.value || null, seen: project.revision });
  }, {
    'data-key': 'propose',
    ...(project.has_study ? {} : { class: 'primary' }),
    'aria-disabled': String(!isReady),
  });
  const tools = make('div', { class: 'tools end' }, field(t('game'), games), propose);
  if (project.has_study) tools.append(link(context.to('read'), t('go_on_read'), { class: 'button primary' }));
  const { kind, state, message, faults } = project.task;
  const failure = kind === 'propose' && state === 'failed' ? [make('div', { class: 'error', role: 'alert' }, make('p', message ? {} : ENGLISH, textOf(project.task, words)), faultList(faults))] : [];
  const needed = isReady ? [] : [make('p', { class: 'warning' }, t('needs_levels'))];
  return section(t('proposal'), make('p', {}, t(project.has_study ? 'proposal_again' : 'proposal_text')), ...needed, ...failure, tools);
}

/** Asks whether a new proposal shall take the place of what somebody chose. @param {Context} context */
function isToBeLost({ words, project: { chosen } }) {
  const t = (/** @type {string} */ name) => words.translate(name);
  const names = chosen.slice(0, MOST_CHOSEN).map((name) => make('li', {}, make('code', {}, name)));
  if (chosen.length > names.length) names.push(make('li', {}, words.translate('n_more', { n: words.number(chosen.length - names.length) })));
  return ask(t('propose_lost'), [make('ul', {}, ...names), make('p', {}, t('propose_undo'))], t('propose_anew'), t('propose_keep'));
}

/** @param {Context} context @returns {[string, string][]} */
const gameOptions = ({ project }) => project.games.map((name) => [name, prettyName(name)]);

/**
 * @param {Api} api
 * @param {Context} context
 */
function examplesSection(api, { words, project, act, go, to }) {
  const begin = async (/** @type {string} */ example) => {
    if (await act(() => api.post('api/start', { example }))) go(to('read'));
  };
  const cards = project.examples.map(({ name, game }) => {
    const title = name === game ? prettyName(name) : `${prettyName(name)}: ${prettyName(game)}`;
    const take = button(words.translate('take_example'), () => begin(name), { 'data-key': `example ${name}` });
    take.append(hidden(` ${title}`));
    return make('li', { class: 'card' }, make('h3', {}, title), make('p', {}, words.translate('example_text')), make('p', {}, take));
  });
  return section(words.translate('examples'), make('ul', { class: 'cards' }, ...cards));
}

/**
 * @param {Api} api
 * @param {Context} context
 */
function anewSection(api, context) {
  const { words, act, go, to } = context;
  const name = make('input', { type: 'text', required: '', maxlength: '60', 'data-key': 'new-name', autocomplete: 'off' });
  const game = menu('new-game', words.translate('game'), gameOptions(context), context.project.games[0] ?? '', () => {});
  const form = make('form', { class: 'tools end' }, field(words.translate('study_name'), name), field(words.translate('game'), game), make('button', { type: 'submit' }, words.translate('write_anew')));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await act((seen) => api.post('api/study', { text: emptyStudy(name.value.trim(), game.value), seen }))) go(to('start'));
  });
  return section(words.translate('anew'), make('p', {}, words.translate('anew_text')), form);
}

/**
 * A study of a game without files yet.
 *
 * @param {string} name
 * @param {string} game
 */
function emptyStudy(name, game) {
  const quoted = JSON.stringify(name);
  return `[study]\nname = ${quoted}\n\n[levels]\ngame = ${JSON.stringify(game)}\nfiles = ["levels"]\n\n[log]\nfiles = ["logs"]\n`;
}
