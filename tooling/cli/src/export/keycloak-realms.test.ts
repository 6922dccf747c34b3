import { checkKeycloakRealms } from '../test/check-keycloak-realms.js';

checkKeycloakRealms('libsql');
