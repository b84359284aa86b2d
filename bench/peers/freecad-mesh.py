# Reads and meshes STEP files with FreeCAD. Input: a line per file, chord error in mm and path, separated by a tab.
# Output: a line of JSON per file; times in ms of processor time, memory in MB.
import json
import resource
import sys

import FreeCAD  # loads the kernel
import MeshPart
import Part

ANGLE = 0.3


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024


print('ready', flush=True)
for line in sys.stdin:
    tolerance, path = line.rstrip('\n').split('\t')
    start, _ = usage()
    shape = Part.Shape()
    shape.read(path)
    read, _ = usage()
    mesh = MeshPart.meshFromShape(
        Shape=shape, LinearDeflection=float(tolerance), AngularDeflection=ANGLE, Relative=False
    )
    end, peak = usage()
    result = {'cpuMs': end - start, 'readMs': read - start, 'triangles': mesh.CountFacets, 'peakMb': peak}
    print(json.dumps(result), flush=True)
