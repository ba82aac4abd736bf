import { defineConfig } from '@adonisjs/shield'

export default defineConfig({
  csp: {
    enabled: true,
    directives: {
      defaultSrc: [`'none'`],
      styleSrc: ['@nonce'],
      scriptSrc: ['@nonce'],
      connectSrc: [`'self'`],
      imgSrc: [`'self'`, 'data:'],
      formAction: [`'self'`],
      baseUri: [`'none'`],
      frameAncestors: [`'none'`],
    },
  },
  csrf: {
    enabled: true,
    exceptRoutes: [],
    enableXsrfCookie: false,
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  },
  xFrame: { enabled: true, action: 'DENY' },
  hsts: { enabled: false },
  contentTypeSniffing: { enabled: true },
})
