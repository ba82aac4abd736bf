/* Shows the description of the API; nothing is asked of another origin. */

/* Swagger UI has dark colours for this class; the system chooses them, as in the console. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
applyColours()
dark.addEventListener('change', applyColours)

/* A login with “Try it out” authorizes the operations after it. */
function authorize(response) {
  const token = response.ok && response.body?.accessToken
  if (token) {
    globalThis.ui.preauthorizeApiKey('bearer', token)
    globalThis.ui.authActions.persistAuthorizationIfNeeded()
  }
  return response
}

/* Readers begin with the first steps; the rest is in alphabetical order. */
const FIRST = ['auth', '/auth/register', '/auth/login']
const rank = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
const byName = (one, other) => rank(one) - rank(other) || one.localeCompare(other)
const byPath = (one, other) =>
  byName(one.get('path'), other.get('path')) || byName(one.get('method'), other.get('method'))

globalThis.ui = globalThis.SwaggerUIBundle({
  url: new URL('../api-docs-json', document.currentScript.src).href,
  dom_id: '#api-docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  tagsSorter: byName,
  operationsSorter: byPath,
  persistAuthorization: true,
  tryItOutEnabled: true,
  responseInterceptor: authorize,
  /* Its default sends the address of the document to a service of others. */
  validatorUrl: null,
})
