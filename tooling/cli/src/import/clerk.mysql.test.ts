import { checkClerkImports } from '../test/check-clerk-imports.js';

checkClerkImports('mysql');
