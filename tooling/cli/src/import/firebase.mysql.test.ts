import { checkFirebaseImports } from '../test/check-firebase-imports.js';

checkFirebaseImports('mysql');
