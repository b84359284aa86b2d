// Where files can be dropped: the place says so while one holds them over it.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Deed, type Permitted } from '../ui/deed.tsx';
import { Icon } from '../ui/icon.tsx';

type DropProps = {
  onFiles: (files: File[]) => void;
  /** What dropping does, e.g. "Drop to make documents". */
  says: string;
  /** Why nothing can be dropped here now; then nothing is taken. */
  refused?: string | null;
  class?: string;
  children: ComponentChildren;
};

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped on what is inside it. */
export function DropZone({ onFiles, says, refused = null, class: more = '', children }: DropProps) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // entering a child comes before leaving its parent
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the buttons that do the same by keyboard
    <div
      class={`drop-zone ${more}`}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = refused ? 'none' : 'copy';
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!refused && files.length > 0) onFiles(files);
      }}
    >
      {children}
      {over && (
        <div class={`drop-here ${refused ? 'refused' : ''}`}>
          <Icon name={refused ? 'warning' : 'upload'} /> {refused ?? says}
        </div>
      )}
    </div>
  );
}

type PickProps = {
  label: string;
  accept?: string;
  several?: boolean;
  may?: Permitted;
  onFiles: (files: File[]) => void;
  class?: string;
  icon?: true;
};

/** A button that asks for files: what dropping does, for the keyboard and for fingers. With `icon` the label is only read aloud. */
export function PickFiles({ label, accept, several = false, may, onFiles, class: more = '', icon }: PickProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Deed may={may} class={more} icon="upload" onClick={() => input.current?.click()}>
        {icon ? <span class="visually-hidden">{label}</span> : label}
      </Deed>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={several}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
