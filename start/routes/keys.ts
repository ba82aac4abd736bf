import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'

router.get('.well-known/jwks.json', [controllers.api.PublicKeys, 'show'])
/** CORS preflight: pages of another origin may send a custom header. */
router.route('.well-known/jwks.json', ['OPTIONS'], [controllers.api.PublicKeys, 'preflight'])
router.get('.well-known/webfinger', [controllers.api.Webfinger, 'show'])
router.route('.well-known/webfinger', ['OPTIONS'], [controllers.api.Webfinger, 'preflight'])
router.get('.well-known/webauthn', [controllers.api.RelatedOrigins, 'show'])
