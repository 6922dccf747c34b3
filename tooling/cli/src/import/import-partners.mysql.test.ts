import { checkPartnerImports } from '../test/check-partner-imports.js';

checkPartnerImports('mysql');
