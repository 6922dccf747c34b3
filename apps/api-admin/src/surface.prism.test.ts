// @module-tag slow

// The same tests, through a proxy that checks requests and answers against the service's OpenAPI document.
import './surface.libsql.test.js';
