import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'

router.get('.well-known/jwks.json', [controllers.api.PublicKeys, 'show'])
/** Pages of another origin that send a header of their own ask first. */
router.route('.well-known/jwks.json', ['OPTIONS'], [controllers.api.PublicKeys, 'preflight'])
router.get('.well-known/webauthn', [controllers.api.RelatedOrigins, 'show'])
