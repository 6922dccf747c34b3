import { checkAuth0Imports } from '../test/check-auth0-imports.js';

checkAuth0Imports('mysql');
