// The application frame: navigation, search, user and connection state around every view.
import { useEffect } from 'preact/hooks';
import { AuditPage } from '../audit/audit-page.tsx';
import { RunPage } from '../code/run-page.tsx';
import { DocumentPage } from '../document/document-page.tsx';
import { FindPage } from '../find/find-page.tsx';
import { JobsPage } from '../jobs/jobs-page.tsx';
import { ReservationsLink } from '../reservations/reservations-link.tsx';
import { ReservationsPage } from '../reservations/reservations-page.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { Loading, NotFound } from '../ui/status.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { ImportView } from '../upload/import-view.tsx';
import { PageDrop } from '../upload/page-drop.tsx';
import { UploadTray } from '../upload/upload-tray.tsx';
import { CommandPalette, openPalette } from './command-palette.tsx';
import { connectEvents, connected } from './live-events.ts';
import { route, urlFor } from './router.ts';
import { currentUser, isAdmin, sessionEnded, signInError, signOut } from './session.ts';
import { SetUp } from './set-up.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SignIn, SignInAgain } from './sign-in.tsx';

const AdminPage = onDemand(async () => (await import('../admin/admin-page.tsx')).AdminPage);

type NavigationItem = { to: string; label: string; icon: IconName; segments: readonly string[]; adminOnly?: true };

const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'Documents', icon: 'folder', segments: ['folders', 'documents', 'search', 'runs'] },
  { to: urlFor.jobs(), label: 'Jobs', icon: 'jobs', segments: ['jobs'] },
  { to: urlFor.audit(), label: 'Audit', icon: 'audit', segments: ['audit'], adminOnly: true },
  { to: urlFor.admin(), label: 'Administration', icon: 'admin', segments: ['admin'], adminOnly: true },
];

export function App() {
  if (currentUser.value === undefined)
    return (
      <div class="frame">
        <header class="top">
          <span class="brand">
            <Icon name="cube" /> PDM
          </span>
        </header>
        <Loading>{signInError.value ? 'Cannot reach the service. Retrying…' : 'Loading…'}</Loading>
      </div>
    );
  if (currentUser.value === null) {
    return (
      <main class="sign-in">
        <SignIn />
      </main>
    );
  }
  return (
    <>
      <SignedIn key={currentUser.value.id} />
      <SetUp />
      {sessionEnded.value && <SignInAgain />}
    </>
  );
}

function SignedIn() {
  useEffect(() => (sessionEnded.value ? undefined : connectEvents()), [sessionEnded.value]);
  const [first = ''] = route.value.segments;
  const items = NAVIGATION.filter(({ adminOnly }) => !adminOnly || isAdmin());
  const isCurrent = (to: string, segments: readonly string[]) => (first === '' ? to === '/' : segments.includes(first));
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Icon name="cube" /> PDM
        </a>
        <nav aria-label="Main">
          {items.map(({ to, label, icon, segments }) => (
            <a key={to} href={to} aria-current={isCurrent(to, segments) ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{label}</span>
            </a>
          ))}
        </nav>
        <button type="button" class="search-button" onClick={openPalette}>
          <Icon name="search" />
          <span>Search or run a command</span> <kbd>Ctrl K</kbd>
        </button>
        {!connected.value && (
          <span class="away" role="status">
            Reconnecting…
          </span>
        )}
        <ReservationsLink />
        <span class="who" title={currentUser.value?.role}>
          <Icon name="person" /> {currentUser.value?.name}
        </span>
        <a class="help-button" href="/docs" target="_blank" rel="noreferrer" aria-label="Help" title="Help">
          <Icon name="help" />
        </a>
        <button type="button" class="bare" aria-label="Sign out" title="Sign out" onClick={() => void signOut()}>
          <Icon name="out" />
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <View />
      </main>
      <PageDrop />
      <ImportView />
      <UploadTray />
      <CommandPalette />
      <Shortcuts />
      <Toasts />
    </div>
  );
}

// After a view change the focused element may be gone: focuses the new view, so that Tab does not start at the header.
function useFocusOnViewChange(view: string): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}

function View() {
  const [first, second, third] = route.value.segments;
  useFocusOnViewChange(`${first} ${second}`);
  if (first === undefined || first === 'search') return <FindPage folderId={null} />;
  if (first === 'folders' && second) return <FindPage folderId={second} />;
  if (first === 'documents' && second) return <DocumentPage id={second} tab={third ?? ''} />;
  if (first === 'runs' && second) return <RunPage id={second} />;
  if (first === 'reservations') return <ReservationsPage />;
  if (first === 'jobs') return <JobsPage jobId={second ?? null} />;
  if (first === 'audit') return <AuditPage />;
  if (first === 'admin') return <AdminPage tab={second ?? 'overview'} />;
  return (
    <NotFound title="Page not found">
      <a href="/">All documents</a>
    </NotFound>
  );
}
