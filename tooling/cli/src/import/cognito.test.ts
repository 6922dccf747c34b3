import { checkCognitoImports } from '../test/check-cognito-imports.js';

checkCognitoImports('libsql');
