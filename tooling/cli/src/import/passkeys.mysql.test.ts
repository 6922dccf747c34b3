import { checkPasskeyImports } from '../test/check-passkey-imports.js';

checkPasskeyImports('mysql');
