import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { fixed } from '#pages/reauthentication/purposes'
import { exempt, reauthenticated, revokes } from '#start/routes/reauthentication'

const { admin: pages } = controllers

export function serviceRoutes() {
  pageRoutes()
  recordRoutes()
  mailRoutes()
  outboundRoutes()
}

function pageRoutes() {
  router.get('/', [pages.Dashboard, 'show'])
  router.get('search', [pages.Search, 'show'])
  router.get('system', [pages.System, 'show'])
  router.get('plots/:name', [pages.Plots, 'show'])
  router.post('checklist/docs', [pages.Checklist, 'docs']).use(exempt('it notes a seen step'))
  router.post('checklist/skip/:step', [pages.Checklist, 'skip']).use(exempt('it hides a step'))
  router.post('checklist/dismiss', [pages.Checklist, 'dismiss']).use(exempt('it hides the steps'))
}

/** The answer to a form has no separate page: a reload leads back to the form. */
function recordRoutes() {
  router.get('sessions', [pages.Sessions, 'index'])
  router.post('sessions/:userId/:sessionId/end', [pages.Sessions, 'destroy']).use(revokes())
  router.get('audit', [pages.Audit, 'index'])
  router.post('audit/verify', [pages.Audit, 'verify']).use(exempt('it only reads'))
  router.on('audit/verify').redirectToPath('/admin/audit').as('audit.verify.back')
}

function mailRoutes() {
  router.get('mails', [pages.Mails, 'index'])
  router.post('mails/test', [pages.Checklist, 'mail']).use(exempt('the mail goes to who asks'))
  router.on('mails/test').redirectToPath('/admin/mails').as('mails.test.back')
  router
    .post('mails/:id/read', [pages.Mails, 'show'])
    .use(reauthenticated(fixed('console.mails.read_purpose')))
  router.on('mails/:id/read').redirectToPath('/admin/mails').as('mails.read.back')
  router
    .post('mails/:id/retry', [pages.Mails, 'retry'])
    .use(exempt('the mail goes to its recipient'))
}

function outboundRoutes() {
  router
    .post('outbound/resume', [pages.Outbound, 'resume'])
    .use(reauthenticated(fixed('outbound.purpose')))
  router.on('outbound/resume').redirectToPath('/admin').as('outbound.resume.back')
}
