/** For `node --import`: tests of the user's import the running copy of Polya, as their agents do. */
import { letUserCodeImportPolya } from './imports.ts';

letUserCodeImportPolya();
