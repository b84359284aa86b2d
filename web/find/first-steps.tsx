// The first steps of a new user, above the document list until they are closed.
import { useState } from 'preact/hooks';
import { canWrite, currentUser } from '../shell/session.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { readStored, writeStored } from '../ui/stored.ts';

type Step = { icon: IconName; title: string; text: string; topic: string };

const LOOK: Step = {
  icon: 'model',
  title: 'Look and measure',
  text: 'Open a document to rotate, cut and measure its model.',
  topic: 'guide#look-and-measure',
};
const EDITOR_STEPS: readonly Step[] = [
  {
    icon: 'upload',
    title: 'Drop a STEP file here',
    text: 'The service creates a document and converts the file.',
    topic: 'guide#upload-files',
  },
  LOOK,
  {
    icon: 'release',
    title: 'Create a version',
    text: 'It never changes. Release it to give it a revision.',
    topic: 'guide#versions',
  },
];
const VIEWER_STEPS: readonly Step[] = [
  {
    icon: 'search',
    title: 'Find a document',
    text: 'Search numbers, names and descriptions, or press Ctrl K.',
    topic: 'guide#documents-and-folders',
  },
  LOOK,
  {
    icon: 'table',
    title: 'See where it is used',
    text: 'Assemblies have a bill of materials; parts list their uses.',
    topic: 'guide#bill-of-materials',
  },
];

/** Shown at the first visit of a user with this browser. */
export function FirstSteps() {
  const key = `first-steps-closed-${currentUser.value?.id}`;
  const [closed, setClosed] = useState(readStored(key) !== undefined);
  if (closed) return null;
  const close = () => {
    writeStored(key, 1);
    setClosed(true);
  };
  return (
    <section class="first-steps card" aria-label="First steps">
      <ol>
        {(canWrite() ? EDITOR_STEPS : VIEWER_STEPS).map(({ icon, title, text, topic }) => (
          <li key={title}>
            <Icon name={icon} />
            <div>
              <strong>{title}</strong>
              <p>
                {text} <HelpLink topic={topic} />
              </p>
            </div>
          </li>
        ))}
      </ol>
      <button type="button" class="bare" aria-label="Close the first steps" onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  );
}
