// The web page: signs in, then shows what its address names.
import { render } from 'preact';
import { followAddress } from './shell/addresses.ts';
import { Frame } from './shell/frame.tsx';
import { restoreSession } from './shell/session.ts';

followAddress();
void restoreSession();
const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  render(<Frame />, root);
}
