import { checkSupabaseImports } from '../test/check-supabase-imports.js';

checkSupabaseImports('libsql');
