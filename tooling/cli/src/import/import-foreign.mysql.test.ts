import { checkForeignImports } from '../test/check-foreign-imports.js';

checkForeignImports('mysql');
