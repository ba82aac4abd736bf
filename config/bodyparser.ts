import { defineConfig } from '@adonisjs/core/bodyparser'

/** What is typed is what is stored: blanks and empty strings may be part of a password. */
const verbatim = { trimWhitespaces: false, convertEmptyStringsToNull: false }

export default defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  json: { ...verbatim, limit: '64kb', types: ['application/json'] },
  form: { ...verbatim, limit: '64kb' },
  raw: { types: [] },
  /** Uploads are read by the controller that expects one, never for the asking. */
  multipart: { ...verbatim, autoProcess: false, limit: '2100kb', maxFields: 10 },
})
