import { checkKeycloakImports } from '../test/check-keycloak-imports.js';

checkKeycloakImports('mysql');
