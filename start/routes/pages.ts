import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/* Pages of mailed links have no session: the token in the form is the only permission, so CSRF gains nothing. */
const { pages } = controllers

router.get('/', [pages.Home, 'show'])

function passwordRoutes() {
  router.get('reset-password', [pages.Passwords, 'create']).as('pages.reset_password')
  router.post('reset-password', [pages.Passwords, 'store']).as('pages.reset_password.store')
  router.get('accept-invitation', [pages.Passwords, 'create']).as('pages.accept_invitation')
  router.post('accept-invitation', [pages.Passwords, 'store']).as('pages.accept_invitation.store')
}

function verificationRoutes() {
  router.get('verify-email', [pages.Verifications, 'create'])
  router
    .post('verify-email', [pages.Verifications, 'store'])
    .use(middleware.throttle({ by: 'redeem' }))
  router
    .post('verify-email/decline', [pages.Verifications, 'decline'])
    .use(middleware.throttle({ by: 'redeem' }))
}

/** The browser that waits continues immediately. */
function addressRoutes() {
  router.get('confirm-address', [pages.AddressLinks, 'create']).use(middleware.initializeAuth())
  router
    .post('confirm-address', [pages.AddressLinks, 'store'])
    .use(middleware.throttle({ by: 'redeem' }))
  router
    .post('confirm-address/decline', [pages.AddressLinks, 'decline'])
    .use(middleware.throttle({ by: 'redeem' }))
}

function reportRoutes() {
  router.get('undo-email-change', [pages.EmailChanges, 'create'])
  router
    .post('undo-email-change', [pages.EmailChanges, 'destroy'])
    .use(middleware.throttle({ by: 'redeem' }))
  router.get('not-me', [pages.SignInReports, 'create'])
  router.post('not-me', [pages.SignInReports, 'store']).use(middleware.throttle({ by: 'redeem' }))
}

router
  .group(() => {
    passwordRoutes()
    verificationRoutes()
    addressRoutes()
    reportRoutes()
  })
  .use([middleware.pagePolicy(), middleware.language(), middleware.formBody()])
