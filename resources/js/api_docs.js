/* Shows the description of the API; nothing is asked of another origin. */

globalThis.ui = globalThis.SwaggerUIBundle({
  url: new URL('api-docs-json', document.baseURI).href,
  dom_id: '#api-docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: true,
  tagsSorter: 'alpha',
  operationsSorter: 'alpha',
  tryItOutEnabled: true,
  /* Its default sends the address of the document to a service of others. */
  validatorUrl: null,
})
