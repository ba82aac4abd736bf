import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'
import env from '#start/env'

/*
 | No middleware runs on every request: each group of routes names what it needs, and
 | what applies to every answer is done in `start/http_server.ts`.
 */
server.errorHandler(() => import('#exceptions/handler'))

if (env.get('CORS_ORIGINS').length > 0) {
  server.use([() => import('@adonisjs/cors/cors_middleware')])
}

export const middleware = router.named({
  auth: () => import('#middleware/auth_middleware'),
  admin: () => import('#middleware/admin_middleware'),
  jsonBody: () => import('#middleware/json_body_middleware'),
  formBody: () => import('#middleware/form_body_middleware'),
  pagePolicy: () => import('#middleware/page_policy_middleware'),
  documentation: () => import('#middleware/documentation_middleware'),
  session: () => import('@adonisjs/session/session_middleware'),
  shield: () => import('@adonisjs/shield/shield_middleware'),
  administrator: () => import('#middleware/administrator_middleware'),
})
