// All texts of the page by language.

import { de } from './texts_de.js';
import { en } from './texts_en.js';
import { fr } from './texts_fr.js';

/** @type {Record<string, Record<string, string>>} */
export const TEXTS = { en, de, fr };
export const LANGUAGES = Object.keys(TEXTS);
