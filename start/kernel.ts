import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'
import env from '#start/env'
import '#policies/bouncer'

// No middleware runs on every request: `app/http/response.ts` writes the headers of every response.
server.errorHandler(() => import('#exceptions/handler'))

if (env.get('CORS_ORIGINS').length > 0) {
  server.use([() => import('@adonisjs/cors/cors_middleware')])
}

export const middleware = router.named({
  auth: () => import('#middleware/auth_middleware'),
  initializeAuth: () => import('@adonisjs/auth/initialize_auth_middleware'),
  requireUser: () => import('#middleware/require_user_middleware'),
  requireAdmin: () => import('#middleware/require_admin_middleware'),
  requireEnrolment: () => import('#middleware/require_enrolment_middleware'),
  requireMfa: () => import('#middleware/require_mfa_middleware'),
  throttle: () => import('#middleware/throttle_middleware'),
  jsonBody: () => import('#middleware/json_body_middleware'),
  formBody: () => import('#middleware/form_body_middleware'),
  language: () => import('#middleware/language_middleware'),
  hostedPages: () => import('#middleware/hosted_pages_middleware'),
  pagePolicy: () => import('#middleware/page_policy_middleware'),
  compress: () => import('#middleware/compress_middleware'),
  documentation: () => import('#middleware/documentation_middleware'),
  session: () => import('#middleware/page_session_middleware'),
  shield: () => import('@adonisjs/shield/shield_middleware'),
  reauthentication: () => import('#middleware/reauthentication_middleware'),
  pictureBody: () => import('#middleware/picture_body_middleware'),
  restoreForm: () => import('#middleware/restore_form_middleware'),
})
