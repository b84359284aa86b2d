// Entry point of the web app: starts the router and renders the application.
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { startRouter } from './shell/router.ts';
import { restoreSession } from './shell/session.ts';

startRouter();
void restoreSession();
const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
